// The secret of the account, which signs deliveries to addresses that are named in single requests.
import { useState } from 'react';
import type { WebhookSecret } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Copy } from '../components/copy.tsx';
import { when } from '../format.ts';
import { RotateDialog } from '../components/rotate-dialog.tsx';
import { maxOverlapHours } from './webhook-secret.tsx';
import { overlapEnd } from './webhook-labels.ts';

/** The secret is read only when a person asks for it. */
export function AccountSecret({ accountId }: { accountId: string }) {
  const [shown, setShown] = useState<WebhookSecret>();
  const [rotating, setRotating] = useState<WebhookSecret>();
  const read = useAction(async (use: (found: WebhookSecret) => void) =>
    use(await admin.webhooks.secret(accountId)),
  );
  const until = shown && overlapEnd(shown);
  return (
    <section className="card stack" aria-labelledby="account-secret">
      <h2 id="account-secret">Account signing secret</h2>
      <p>
        A transcription request can name an address for its result in the header{' '}
        <code>x-trivium-webhook</code>. Deliveries to such an address are signed with this secret.
        Endpoints have their own secrets.
      </p>
      {shown ? (
        <div className="row">
          <code className="secret">{shown.secret}</code>
          <Copy text={shown.secret} what="Copy the secret" />
        </div>
      ) : null}
      {until === undefined ? null : (
        <p className="small soft">
          Deliveries are also signed with the previous secret until {when(until)}.
        </p>
      )}
      <ErrorNote error={read.error} />
      <div className="row">
        {shown ? (
          <Button onPress={() => setShown(undefined)}>Hide the secret</Button>
        ) : (
          <Button disabled={read.busy} onPress={() => read.run(setShown)}>
            Show the secret
          </Button>
        )}
        <Button disabled={read.busy} onPress={() => read.run(setRotating)}>
          Rotate the secret
        </Button>
      </div>
      {rotating ? (
        <RotateDialog
          title="Rotate the account signing secret"
          current="keeps signing"
          previous={overlapEnd(rotating) === undefined ? undefined : 'signs'}
          maxOverlapHours={maxOverlapHours}
          onClose={() => {
            setRotating(undefined);
            // A request whose response was lost may have changed it.
            setShown(undefined);
          }}
          onRotate={async (overlap_hours, idempotencyKey) => {
            const once = { idempotency_key: idempotencyKey };
            setShown(await admin.webhooks.rotateSecret(accountId, { overlap_hours }, once));
            setRotating(undefined);
          }}
        >
          Deliveries to addresses in <code>x-trivium-webhook</code> are signed with a new secret.
          Update your receivers while deliveries are still signed with the current secret too.
        </RotateDialog>
      ) : null}
    </section>
  );
}
