// The form to rotate a key.
import type { Key, NewKey } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
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
        const path = `/admin/v1/keys/${encodeURIComponent(of.id)}/rotate`;
        onDone(await requestJson<NewKey>('POST', path, { overlap_hours }, { idempotencyKey }));
      }}
    >
      The key gets a new secret. Its limits, and what it has spent, stay. Put the new secret into
      your programs while <code>{of.display}…</code> still works.
    </RotateDialog>
  );
}
