// Notes on a request: written by the people who may change the account, and changed by their author
// or an operator.
import { useState } from 'react';
import type { RequestLine, RequestNote } from '@trivium/contract';
import { actorLabel } from '../audit-log/audit-labels.ts';
import { admin } from '../api/clients.ts';
import { useAction, useIdempotencyKey } from '../api/use-action.ts';
import { useForm } from '../api/use-form.ts';
import { when } from '../format.ts';
import { Button, ErrorNote, Tag } from '../components/basics.tsx';
import { Field } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { useIsOperator, useMayChange, useSession } from '../shell/session.tsx';

export function RequestNotes({ of: { id, notes } }: { of: RequestLine }) {
  const mayChange = useMayChange();
  const [writing, setWriting] = useState(false);
  return (
    <>
      {notes.length === 0 ? null : (
        <ul className="notes" aria-label="Notes">
          {notes.map((note) => (
            <Note key={note.id} of={note} />
          ))}
        </ul>
      )}
      {!mayChange ? null : writing ? (
        <NoteForm requestId={id} onClose={() => setWriting(false)} />
      ) : (
        <div>
          <Button onPress={() => setWriting(true)}>Add a note</Button>
        </div>
      )}
      {mayChange || notes.length > 0 ? null : <p className="soft">None</p>}
    </>
  );
}

/** In a row of the list. */
export function NotesMark({ of: { notes } }: { of: RequestLine }) {
  if (notes.length === 0) return null;
  const texts = notes.map(({ text }) => text).join('\n\n');
  return (
    <Tag title={texts}>
      <Icon name="note" />
      {notes.length}
      <span className="hidden-text">{notes.length === 1 ? ' note' : ' notes'}</span>
    </Tag>
  );
}

function Note({ of: note }: { of: RequestNote }) {
  const { person } = useSession();
  const operator = useIsOperator();
  const mayChange = useMayChange() && (operator || note.author.id === person.id);
  const [editing, setEditing] = useState(false);
  const remove = useAction(() => admin.requests.notes.delete(note.id));
  return (
    <li>
      {editing ? (
        <NoteForm editing={note} onClose={() => setEditing(false)} />
      ) : (
        <p className="note-text">{note.text}</p>
      )}
      <p className="small soft">
        {actorLabel(note.author)}, {when(note.created_at)}
        {note.updated_at === note.created_at ? null : `, changed ${when(note.updated_at)}`}
      </p>
      {mayChange && !editing ? (
        <div className="row">
          <Button kind="plain" onPress={() => setEditing(true)}>
            Edit
          </Button>
          <Button kind="plain" busy={remove.busy} onPress={() => remove.run()}>
            Delete
          </Button>
        </div>
      ) : null}
      <ErrorNote error={remove.error} />
    </li>
  );
}

interface NoteFormProps {
  /** Of a new note. */
  requestId?: string;
  editing?: RequestNote;
  onClose: () => void;
}

const maxChars = 2000;

function focus(field: HTMLTextAreaElement | null): void {
  field?.focus();
}

function NoteForm({ requestId = '', editing, onClose }: NoteFormProps) {
  const idempotencyKey = useIdempotencyKey();
  const form = useForm(
    { text: editing?.text ?? '' },
    ({ text }) =>
      editing
        ? admin.requests.notes.update(editing.id, { text })
        : admin.requests.notes.create(requestId, { text }, { idempotency_key: idempotencyKey }),
    onClose,
  );
  const { value, onChange, error } = form.field('text');
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        form.action.run();
      }}
    >
      <Field label="Note" error={error}>
        {(id, describedBy) => (
          <textarea
            id={id}
            className="input"
            aria-describedby={describedBy}
            ref={focus}
            maxLength={maxChars}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <ErrorNote error={form.errors.rest} />
      <div className="row">
        <Button submit busy={form.action.busy} disabled={value.trim() === ''}>
          Save the note
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
