// The form to rotate the secret of a key.
import type { Key, NewKey } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { RotateDialog } from '../components/rotate-dialog.tsx';

const maxOverlapHours = 720;

interface RotateFormProps {
  of: Key;
  onClose: () => void;
  onMade: (made: NewKey) => void;
}

export function RotateForm({ of, onClose, onMade }: RotateFormProps) {
  return (
    <RotateDialog
      title={`Rotate “${of.name}”`}
      current="keeps working"
      previous={of.previous_until === null ? undefined : 'works'}
      maxOverlapHours={maxOverlapHours}
      onClose={onClose}
      onRotate={async (overlap_hours, idempotencyKey) => {
        const once = { idempotency_key: idempotencyKey };
        onMade(await admin.keys.rotate(of.id, { overlap_hours }, once));
      }}
    >
      The key gets a new secret. Its limits and spending do not change. Update your programs while{' '}
      <code>{of.display}…</code> still works.
    </RotateDialog>
  );
}
