// The secret of an endpoint: the form to rotate it, and a new one, shown once.
import type { NewWebhook, Webhook } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { when } from '../format.ts';
import { RotateDialog } from '../components/rotate-dialog.tsx';
import { overlapEnd } from './webhook-labels.ts';

/** Also applies to the secret of an account. */
export const maxOverlapHours = 168;

interface RotateSecretProps {
  of: Webhook;
  onClose: () => void;
  onMade: (made: NewWebhook) => void;
}

export function RotateSecret({ of, onClose, onMade }: RotateSecretProps) {
  return (
    <RotateDialog
      title="Rotate the secret"
      current="keeps signing"
      previous={overlapEnd(of) === undefined ? undefined : 'signs'}
      maxOverlapHours={maxOverlapHours}
      onClose={onClose}
      onRotate={async (overlap_hours, idempotencyKey) => {
        const once = { idempotency_key: idempotencyKey };
        onMade(await admin.webhooks.rotate(of.id, { overlap_hours }, once));
      }}
    >
      Deliveries to <code>{of.url}</code> are signed with a new secret. Update the receiver while
      they are still signed with the current secret too.
    </RotateDialog>
  );
}

interface NewSecretDialogProps {
  made: NewWebhook;
  rotated: boolean;
  onClose: () => void;
}

export function NewSecretDialog({ made, rotated, onClose }: NewSecretDialogProps) {
  return (
    <SecretDialog
      title={rotated ? 'The new secret of this endpoint' : 'The secret of this endpoint'}
      secret={made.secret}
      copy="Copy the secret"
      done="I have it"
      onClose={onClose}
    >
      {`The receiver verifies deliveries with it. Copy it now: it cannot be shown again.${
        rotated ? overlapWords(overlapEnd(made)) : ''
      }`}
    </SecretDialog>
  );
}

function overlapWords(until: string | undefined): string {
  if (until === undefined) return ' The previous secret no longer signs.';
  return ` Deliveries are also signed with the previous secret until ${when(until)}.`;
}
