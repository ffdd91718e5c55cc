// Notes that people write on requests of the log. They are deleted with the request.
import type { AuditActor } from '@trivium/contract';
import { type Filter, orNull, type Runner, table, text, textOf, whole } from '../../store/index.ts';

const notes = table(
  'request_notes',
  {
    id: text,
    request_id: text,
    account_id: text,
    /** When the request arrived. */
    requested_at: whole,
    author_kind: textOf<AuditActor['kind']>(),
    author_id: orNull(text),
    author_name: orNull(text),
    content: text,
    created_at: whole,
    updated_at: whole,
  },
  'note',
);

export type NoteRow = ReturnType<typeof notes.read>;

export const insertNotes = notes.insert();
export const updateNotes = notes.pick('id', 'content', 'updated_at').update('id');
export const findNotes = notes.ofIds('request_id');

/** Locks the note until the end of the transaction. */
export function findNote(on: Runner, id: string): Promise<NoteRow | undefined> {
  return notes.find(on, `where id = $1${on.lock('for update')}`, [id]);
}

export async function deleteNote(on: Runner, id: string): Promise<void> {
  await on.run('delete from request_notes where id = $1', [id]);
}

/** A filter of the request log. */
export function withNote(wanted: 'true' | 'false' | undefined): Filter[] {
  const not = wanted === 'false' ? 'not ' : '';
  const isNoted = `id ${not}in (select request_id from request_notes)`;
  return wanted === undefined ? [] : [{ text: isNoted, values: [] }];
}
