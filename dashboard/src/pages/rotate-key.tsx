// The form to rotate a key: how long the earlier secret works beside the new one.
import { useState } from 'react';
import type { Key, NewKey } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { useAction, useIdempotencyKey } from '../api/use-action.ts';
import { Button, ErrorNote } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Select } from '../components/field.tsx';

const overlaps = [
  ['24', 'One day'],
  ['1', 'One hour'],
  ['168', 'One week'],
  ['720', '30 days'],
  ['0', 'Not at all: end it now'],
] as const;

interface RotateFormProps {
  of: Key;
  onClose: () => void;
  onDone: (made: NewKey) => void;
}

export function RotateForm({ of, onClose, onDone }: RotateFormProps) {
  const [hours, setHours] = useState('24');
  const idempotencyKey = useIdempotencyKey();
  const rotate = useAction(async () => {
    const path = `/admin/v1/keys/${encodeURIComponent(of.id)}/rotate`;
    const body = { overlap_hours: Number(hours) };
    onDone(await requestJson<NewKey>('POST', path, body, { idempotencyKey }));
  });
  return (
    <Dialog title={`Rotate “${of.name}”`} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          rotate.run();
        }}
      >
        <p>
          The key gets a new secret. Its limits, and what it has spent, stay. Put the new secret
          into your programs while <code>{of.display}…</code> still works.
        </p>
        <Select
          label="How long the present secret keeps working"
          options={overlaps}
          value={hours}
          onChange={setHours}
        />
        {of.previous_until === null ? null : (
          <div className="note warn">
            The secret before the present one still works, and ends with this rotation.
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
