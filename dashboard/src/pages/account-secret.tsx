// The secret of the account, which signs deliveries to the addresses that single requests name.
import { useState } from 'react';
import type { WebhookSecret } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Copy } from '../components/copy.tsx';
import { when } from '../format.ts';
import { RotateDialog } from './rotate-dialog.tsx';
import { maxOverlapHours } from './webhook-secret.tsx';
import { overlapEnd } from './webhook-labels.ts';

/** The secret is read when a person asks for it, and not before. */
export function AccountSecret({ accountId }: { accountId: string }) {
  const [shown, setShown] = useState<WebhookSecret>();
  const [rotating, setRotating] = useState<WebhookSecret>();
  const read = useAction(async (use: (found: WebhookSecret) => void) =>
    use(await admin.webhooks.secret(accountId)),
  );
  const until = shown && overlapEnd(shown);
  return (
    <section className="card stack" aria-labelledby="account-secret">
      <h2 id="account-secret">Secret of the account</h2>
      <p>
        A transcription may name an address for its result, in the header{' '}
        <code>x-trivium-webhook</code>. Deliveries to such an address are signed with this secret.
        Endpoints have secrets of their own.
      </p>
      {shown ? (
        <div className="row">
          <code className="secret">{shown.secret}</code>
          <Copy text={shown.secret} what="Copy the secret" />
        </div>
      ) : null}
      {until === undefined ? null : (
        <p className="small soft">The earlier secret signs as well until {when(until)}.</p>
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
          title="Rotate the secret of the account"
          present="signs as well"
          earlier={overlapEnd(rotating) === undefined ? undefined : 'signs'}
          maxOverlapHours={maxOverlapHours}
          onClose={() => {
            setRotating(undefined);
            // An attempt whose response was lost may have changed it.
            setShown(undefined);
          }}
          onRotate={async (overlap_hours, idempotencyKey) => {
            const once = { idempotency_key: idempotencyKey };
            setShown(await admin.webhooks.rotateSecret(accountId, { overlap_hours }, once));
            setRotating(undefined);
          }}
        >
          Deliveries to addresses in <code>x-trivium-webhook</code> are signed with a new secret.
          Put it into the receivers while the present one still signs as well.
        </RotateDialog>
      ) : null}
    </section>
  );
}
