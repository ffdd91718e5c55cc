// What people do about an incident: mute it, and note what others should know.
import type { Incident } from '@trivium/contract';
import { admin } from '../api/clients.ts';
import { useForm } from '../api/use-form.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Input } from '../components/field.tsx';
import { ago } from '../format.ts';
import { useSession } from '../shell/session.tsx';

interface NoteFormProps {
  of: Incident;
  onClose: () => void;
}

export function NoteForm({ of: { id, message, note }, onClose }: NoteFormProps) {
  const { account } = useSession();
  const form = useForm(
    { note: note ?? '' },
    (change) => admin.incidents.update(id, account.id, change),
    onClose,
  );
  return (
    <FormDialog title="Note on this incident" submit="Save" form={form} onClose={onClose}>
      <p>{message}</p>
      <Input
        label="Note"
        hint="Everyone who sees the incident can read it. Leave it empty to remove it."
        {...form.field('note')}
      />
    </FormDialog>
  );
}

/** The note, and who muted the incident or wrote it. */
export function Note({ of: { note, muted, changed_by, changed_at } }: { of: Incident }) {
  if (changed_at === null || (note === null && !muted)) return null;
  const by = `${changed_by ?? 'someone'}, ${ago(changed_at)}`;
  return (
    <span className="incident-note">
      {note} <span className="soft">{note === null ? `Muted by ${by}` : `(${by})`}</span>
    </span>
  );
}
