// Notes on requests of the log: everyone who may change the account writes them, and only their
// author and operators change and delete them.
import {
  GatewayError,
  type NoteRequest,
  type Removed,
  type RequestLine,
  type RequestNote,
} from '@trivium/contract';
import { audit, type Author } from '../audit/index.ts';
import { newId } from '../platform/ids.ts';
import type { Runner } from '../store/index.ts';
import type { RequestsContext } from './context.ts';
import { showNote } from './read-log.ts';
import {
  deleteNote,
  findNote,
  findNotes,
  insertNotes,
  type NoteRow,
  updateNotes,
} from './store/notes.ts';

type WithClock = Pick<RequestsContext, 'database' | 'clock'>;

/** Of one request. */
const maxNotes = 20;

export async function write(
  { database, clock }: WithClock,
  by: Author,
  request: Pick<RequestLine, 'id' | 'account_id' | 'created_at'>,
  { text }: NoteRequest,
): Promise<RequestNote> {
  const at = clock.now().getTime();
  const note: NoteRow = {
    ...{ id: newId('note'), request_id: request.id, account_id: request.account_id },
    ...{ author_kind: by.kind, author_id: by.id, author_name: by.name, content: text },
    ...{ requested_at: Date.parse(request.created_at), created_at: at, updated_at: at },
  };
  return database.transaction(async (tx) => {
    await insertNotes(tx, [note]);
    if ((await findNotes(tx, [request.id])).length > maxNotes) {
      const message = `A request can have ${maxNotes} notes. Change one instead of adding another.`;
      throw new GatewayError('invalid_request', message);
    }
    await audit(tx, by, { ...changeOf('note.created', note), after: factsOf(note) }, at);
    return showNote(note);
  });
}

export async function change(
  { database, clock }: WithClock,
  by: Author,
  { id, isOperator }: { id: string; isOperator: boolean },
  { text }: NoteRequest,
): Promise<RequestNote> {
  const at = clock.now().getTime();
  return database.transaction(async (tx) => {
    const before = await lockNote(tx, by, id, isOperator);
    const after = { ...before, content: text, updated_at: at };
    await updateNotes(tx, [after]);
    const facts = { before: factsOf(before), after: factsOf(after) };
    await audit(tx, by, { ...changeOf('note.changed', before), ...facts }, at);
    return showNote(after);
  });
}

export async function remove(
  { database, clock }: WithClock,
  by: Author,
  { id, isOperator }: { id: string; isOperator: boolean },
): Promise<Removed> {
  return database.transaction(async (tx) => {
    const before = await lockNote(tx, by, id, isOperator);
    await deleteNote(tx, id);
    const change = { ...changeOf('note.removed', before), before: factsOf(before) };
    await audit(tx, by, change, clock.now().getTime());
    return { id };
  });
}

export async function accountOf({ database }: Pick<RequestsContext, 'database'>, id: string) {
  return (await findNote(database, id))?.account_id;
}

export function missing(id: string): GatewayError {
  return new GatewayError('not_found', `There is no note ${id}.`);
}

async function lockNote(tx: Runner, by: Author, id: string, isOperator: boolean): Promise<NoteRow> {
  const note = await findNote(tx, id);
  if (!note) throw missing(id);
  if (isOperator || note.author_id === by.id) return note;
  const message = 'Only the author of a note and operators may change it. Write one of your own.';
  throw new GatewayError('unauthorized', message, undefined, { status: 403 });
}

function changeOf(action: 'note.created' | 'note.changed' | 'note.removed', note: NoteRow) {
  return { action, account_id: note.account_id, target: note.request_id };
}

/** Without the text, which is deleted with the request, long before the entry of the audit log. */
function factsOf({ id, updated_at, content }: NoteRow) {
  return { note: id, characters: content.length, written_at: new Date(updated_at).toISOString() };
}
