// The journal of deferred batches, on PostgreSQL. Any gateway books the rows of all gateways.
import { idStatement, orNull, query, type Runner, table, text, whole } from '../../store/index.ts';

/** The rows of a gateway. The table also holds what the embedded store defers. */
export const journal = table('deferred', {
  id: text,
  input: text,
  task: text,
  gateway_id: text,
  created_at: whole,
  trouble: orNull(text),
});
const waiting = journal.pick('id', 'input');

type JournalRow = ReturnType<typeof waiting.read>;
type NewJournalRow = Omit<ReturnType<typeof journal.read>, 'trouble'>;

/**
 * False if the gateway was removed. The lock on its row makes a removal wait for the commit, and
 * does not delay its beat. A repeated row is not added again.
 */
export function appendJournal(on: Runner, row: NewJournalRow): Promise<boolean> {
  return query.exists(
    on,
    `insert into deferred (task, input, created_at, id, gateway_id)
     select $1, $2, $3, $4, id from gateways where id = $5 for key share
     on conflict (id) where id is not null do update set id = excluded.id returning 1`,
    [row.task, row.input, row.created_at, row.id, row.gateway_id],
  );
}

/** An arbitrary number that no other lock of this database uses. */
const bookingLock = 7_217_001;

/** Only one gateway books at a time. False if another one is booking, unless the caller waits. */
export async function lockBooking(tx: Runner, wait: boolean): Promise<boolean> {
  const [row] = wait
    ? await tx.run(`select true as locked from pg_advisory_xact_lock(${bookingLock})`)
    : await tx.run(`select pg_try_advisory_xact_lock(${bookingLock}) as locked`);
  return row?.['locked'] === true;
}

export function hasJournal(on: Runner): Promise<boolean> {
  return query.exists(
    on,
    'select 1 from deferred where trouble is null and id is not null limit 1',
  );
}

export function findJournal(on: Runner, task: string, limit: number): Promise<JournalRow[]> {
  return waiting.list(
    on,
    `where task = $1 and trouble is null and id is not null
     order by created_at, id limit ${limit}`,
    [task],
  );
}

/** Empty if the row is booked or marked. */
export function findJournalRow(on: Runner, id: string): Promise<JournalRow[]> {
  return waiting.list(on, 'where id = $1 and trouble is null', [id]);
}

const deleteStatement = idStatement((places) => `delete from deferred where id in (${places})`);

export async function deleteJournal(on: Runner, ids: readonly string[]): Promise<void> {
  await on.run(...deleteStatement(ids));
}

/** False if the row is gone or already marked. */
export function markJournal(on: Runner, id: string, trouble: string): Promise<boolean> {
  const mark = 'update deferred set trouble = $1 where id = $2 and trouble is null returning id';
  return query.exists(on, mark, [trouble, id]);
}
