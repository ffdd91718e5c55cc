// Webhook endpoints: add, change, pause, test and remove them, and the log of deliveries.
import { useState } from 'react';
import type { NewWebhook, Webhook } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useAction } from '../api/use-action.ts';
import { Button, DocsLink, Empty, ErrorNote, Page, Segments } from '../components/basics.tsx';
import { Confirm, useDialog } from '../components/dialog.tsx';
import { Pages, usePagedList } from '../components/pager.tsx';
import { setQuery, useLocation } from '../shell/router.tsx';
import { ForChanges, useIsOperator, useMayChange, useSession } from '../shell/session.tsx';
import { AccountSecret } from './account-secret.tsx';
import { Deliveries, useDeliveries } from './webhook-deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { NewSecretDialog, RotateSecret } from './webhook-secret.tsx';
import { WebhookTable } from './webhook-table.tsx';
import type { Opened } from './webhook-table.tsx';

export function WebhooksPage() {
  const { account } = useSession();
  const operator = useIsOperator();
  const everywhere = useLocation().query.get('of') === 'gateway' && operator;
  const accountId = everywhere ? undefined : account.id;
  const webhookList = usePagedList(
    'webhooks',
    admin.webhooks.list,
    { account_id: accountId },
    'endpoints',
  );
  const log = useDeliveries(accountId);
  const { open, setOpen, close } = useDialog<Opened | { what: 'create' }>({
    create: useMayChange() && { what: 'create' },
  });
  const act = useAction(async ({ id, paused }: Webhook, what: 'test' | 'pause') => {
    if (what === 'test') await admin.webhooks.test(id);
    else await admin.webhooks.update(id, { paused: !paused });
  });
  const make = (
    <ForChanges>
      <Button kind="primary" onPress={() => setOpen({ what: 'create' })}>
        Add an endpoint
      </Button>
    </ForChanges>
  );
  return (
    <Page
      title="Webhooks"
      intro={everywhere ? gatewayIntro : accountIntro}
      aside={
        <div className="row">
          <DocsLink page="webhooks" />
          {operator ? <Scope everywhere={everywhere} /> : null}
          {make}
        </div>
      }
    >
      <ErrorNote error={act.error} />
      <Pages of={webhookList}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty card title="No endpoints yet" action={make}>
              Add one to receive a signed request for each event.
            </Empty>
          ) : (
            <WebhookTable
              rows={webhooks}
              latest={log.latest}
              everywhere={everywhere}
              busy={act.busy}
              onAct={act.run}
              onOpen={setOpen}
            />
          )
        }
      </Pages>
      {everywhere ? null : (
        <ForChanges>
          <AccountSecret key={account.id} accountId={account.id} />
        </ForChanges>
      )}
      <Deliveries of={log} webhooks={webhookList.list.data?.webhooks ?? []} />
      <Dialogs open={open} accountId={accountId ?? null} onClose={close} />
    </Page>
  );
}

const accountIntro = 'An endpoint receives a signed request for each event of this account.';
const gatewayIntro = 'All endpoints. An endpoint added here receives events about providers.';

function Scope({ everywhere }: { everywhere: boolean }) {
  return (
    <Segments
      label="Show endpoints of"
      options={[
        ['account', 'This account'],
        ['gateway', 'This gateway'],
      ]}
      value={everywhere ? 'gateway' : 'account'}
      onChange={(of) => setQuery({ of: of === 'gateway' ? of : undefined })}
    />
  );
}

interface DialogsProps {
  open: Opened | { what: 'create' } | undefined;
  accountId: string | null;
  onClose: () => void;
}

function Dialogs({ open, accountId, onClose }: DialogsProps) {
  const [shown, setShown] = useState<{ made: NewWebhook; rotated: boolean }>();
  const show = (made: NewWebhook, rotated: boolean) => {
    // The secret is shown without waiting for the list.
    onClose();
    setShown({ made, rotated });
  };
  return (
    <>
      {open?.what === 'create' || open?.what === 'edit' ? (
        <WebhookForm
          editing={open.what === 'edit' ? open.webhook : undefined}
          accountId={accountId}
          onClose={onClose}
          onMade={(made) => show(made, false)}
        />
      ) : null}
      {open?.what === 'rotate' ? (
        <RotateSecret of={open.webhook} onClose={onClose} onMade={(made) => show(made, true)} />
      ) : null}
      {open?.what === 'remove' ? <Remove of={open.webhook} onClose={onClose} /> : null}
      {shown === undefined ? null : (
        <NewSecretDialog {...shown} onClose={() => setShown(undefined)} />
      )}
    </>
  );
}

function Remove({ of: { id, url }, onClose }: { of: Webhook; onClose: () => void }) {
  const remove = useAction(() => admin.webhooks.delete(id), onClose);
  return (
    <Confirm title="Remove this endpoint?" submit="Remove it" action={remove} onClose={onClose}>
      <p>
        <code>{url}</code> will receive no more events, not even those waiting to be sent. This
        cannot be undone.
      </p>
    </Confirm>
  );
}
