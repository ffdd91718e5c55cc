// The journal of deferred batches, on PostgreSQL. Any gateway books the rows of all gateways.
import { idStatement, type Row, type Runner } from '../../store/index.ts';

interface JournalRow {
  id: string;
  input: string;
}

interface NewJournalRow extends JournalRow {
  task: string;
  gateway_id: string;
  created_at: number;
}

/**
 * False if the gateway was removed. The lock on its row makes a removal wait for the commit, and
 * does not delay its beat. A repeated row is not added again.
 */
export async function appendJournal(on: Runner, row: NewJournalRow): Promise<boolean> {
  const rows = await on.run(
    `insert into deferred (task, input, created_at, id, gateway_id)
     select $1, $2, $3, $4, id from gateways where id = $5 for key share
     on conflict (id) where id is not null do update set id = excluded.id returning 1`,
    [row.task, row.input, row.created_at, row.id, row.gateway_id],
  );
  return rows.length > 0;
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

export async function hasJournal(on: Runner): Promise<boolean> {
  const rows = await on.run(
    'select 1 from deferred where trouble is null and id is not null limit 1',
  );
  return rows.length > 0;
}

export async function findJournal(on: Runner, task: string, limit: number): Promise<JournalRow[]> {
  const rows = await on.run(
    `select id, input from deferred where task = $1 and trouble is null and id is not null
     order by created_at, id limit ${limit}`,
    [task],
  );
  return rows.map(readRow);
}

/** Empty if the row is booked or marked. */
export async function findJournalRow(on: Runner, id: string): Promise<JournalRow[]> {
  const rows = await on.run('select id, input from deferred where id = $1 and trouble is null', [
    id,
  ]);
  return rows.map(readRow);
}

function readRow(row: Row): JournalRow {
  return { id: String(row['id']), input: String(row['input']) };
}

const deleteStatement = idStatement((places) => `delete from deferred where id in (${places})`);

export async function deleteJournal(on: Runner, ids: readonly string[]): Promise<void> {
  await on.run(...deleteStatement(ids));
}

/** False if the row is gone or already marked. */
export async function markJournal(on: Runner, id: string, trouble: string): Promise<boolean> {
  const rows = await on.run(
    'update deferred set trouble = $1 where id = $2 and trouble is null returning id',
    [trouble, id],
  );
  return rows.length > 0;
}
