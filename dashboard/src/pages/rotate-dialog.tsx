// The form to rotate a secret: how long the current one stays valid after that.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useAction, useIdempotencyKey } from '../api/use-action.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Select } from '../components/field.tsx';
import type { Key, NewKey } from '@trivium/contract';
import { admin } from '../api/clients.ts';

const overlaps = [
  ['24', 'One day'],
  ['1', 'One hour'],
  ['168', 'One week'],
  ['720', '30 days'],
  ['0', 'Not at all: end it now'],
] as const;

interface RotateDialogProps {
  title: string;
  /** What the rotation does. */
  children: ReactNode;
  /** What the present secret does, such as `keeps working`. */
  present: string;
  /** What the secret before the present one still does; undefined when it has ended. */
  earlier: string | undefined;
  maxOverlapHours: number;
  onClose: () => void;
  /** With the key, a rotation whose response was lost is not repeated. */
  onRotate: (overlapHours: number, idempotencyKey: string) => Promise<void>;
}

export function RotateDialog(props: RotateDialogProps) {
  const { title, children, present, earlier, maxOverlapHours, onClose, onRotate } = props;
  const [hours, setHours] = useState('24');
  const idempotencyKey = useIdempotencyKey();
  const rotate = useAction(() => onRotate(Number(hours), idempotencyKey));
  return (
    <FormDialog title={title} submit="Rotate" form={{ action: rotate }} onClose={onClose}>
      <p>{children}</p>
      <Select
        label={`How long the present secret ${present}`}
        options={overlaps.filter(([value]) => Number(value) <= maxOverlapHours)}
        value={hours}
        onChange={setHours}
      />
      {earlier === undefined ? null : (
        <div className="note warn">
          The secret before the present one still {earlier}, and ends with this rotation.
        </div>
      )}
    </FormDialog>
  );
}

const maxOverlapHours = 720;

interface RotateFormProps {
  of: Key;
  onClose: () => void;
  onDone: (made: NewKey) => void;
}

export function RotateForm({ of, onClose, onDone }: RotateFormProps) {
  return (
    <RotateDialog
      title={`Rotate “${of.name}”`}
      present="keeps working"
      earlier={of.previous_until === null ? undefined : 'works'}
      maxOverlapHours={maxOverlapHours}
      onClose={onClose}
      onRotate={async (overlap_hours, idempotencyKey) => {
        const once = { idempotency_key: idempotencyKey };
        onDone(await admin.keys.rotate(of.id, { overlap_hours }, once));
      }}
    >
      The key gets a new secret. Its limits, and what it has spent, stay. Put the new secret into
      your programs while <code>{of.display}…</code> still works.
    </RotateDialog>
  );
}
