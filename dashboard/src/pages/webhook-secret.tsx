// The secret of an endpoint: the form to rotate it, and a new one, shown once.
import { useState } from 'react';
import type { NewWebhook, Webhook } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { useAction } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Select } from '../components/field.tsx';
import { ShownOnce } from '../components/shown-once.tsx';
import { when } from '../format.ts';

const overlaps = [
  ['24', 'One day'],
  ['1', 'One hour'],
  ['168', 'One week'],
  ['0', 'Not at all: end it now'],
] as const;

interface RotateSecretProps {
  of: Webhook;
  onClose: () => void;
  onDone: (made: NewWebhook) => Promise<void>;
}

export function RotateSecret({ of, onClose, onDone }: RotateSecretProps) {
  const [hours, setHours] = useState('24');
  const rotate = useAction(async () => {
    const path = `/admin/v1/webhooks/${encodeURIComponent(of.id)}/rotate`;
    const body = { overlap_hours: Number(hours) };
    await onDone(await requestJson<NewWebhook>('POST', path, body));
  });
  return (
    <Dialog title="Rotate the secret" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          rotate.run();
        }}
      >
        <p>
          Deliveries to <code>{of.url}</code> are signed with a new secret. Put it into the receiver
          while the present one still signs as well.
        </p>
        <Select
          label="How long the present secret signs as well"
          options={overlaps}
          value={hours}
          onChange={setHours}
        />
        {of.old_secret_until === null ? null : (
          <div className="note warn">
            The secret before the present one still signs, and ends with this rotation.
          </div>
        )}
        <ErrorNote error={rotate.error} />
        <div className="row">
          <Button kind="primary" submit busy={rotate.busy}>
            Rotate
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

interface SecretShownProps {
  made: NewWebhook;
  rotated: boolean;
  onClose: () => void;
}

export function SecretShown({ made, rotated, onClose }: SecretShownProps) {
  return (
    <ShownOnce
      title={rotated ? 'The new secret of this endpoint' : 'The secret of this endpoint'}
      secret={made.secret}
      copy="Copy the secret"
      done="I have it"
      onClose={onClose}
    >
      {`The receiver verifies deliveries with it. Copy it now: it cannot be shown again.${
        rotated ? overlapWords(made.old_secret_until) : ''
      }`}
    </ShownOnce>
  );
}

function overlapWords(until: string | null): string {
  if (until === null) return ' The earlier secret no longer signs.';
  return ` The earlier secret signs as well until ${when(until)}.`;
}
