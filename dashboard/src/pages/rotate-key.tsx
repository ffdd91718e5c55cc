// The form to rotate a key.
import type { Key, NewKey } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { RotateDialog } from './rotate-dialog.tsx';

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
