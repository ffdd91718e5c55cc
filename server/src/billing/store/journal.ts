// The journal of deferred batches: on PostgreSQL, appending to it and booking it; on both engines,
// what is not booked yet, as the audit reads it. The SQLite thread writes and books its own rows.
import {
  mapOfIds,
  orNull,
  overIds,
  query,
  type Runner,
  table,
  text,
  whole,
} from '../../store/index.ts';
import { z } from 'zod';
import { assertMoney } from '../core/decide.ts';
import type { LedgerEntry, SettleEntry } from '../core/entries.ts';
import type { RequestRow } from '../../requests/core/index.ts';

/** The rows of a gateway. The table also holds what the embedded store defers. */
const journal = table('deferred', {
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
export function appendToJournal(on: Runner, row: NewJournalRow): Promise<boolean> {
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

export function hasUnbooked(on: Runner): Promise<boolean> {
  return query.exists(
    on,
    'select 1 from deferred where trouble is null and id is not null limit 1',
  );
}

/** The first rows of the task, or the row with the id. Empty if it is booked or marked. */
export function findUnbooked(
  on: Runner,
  which: { task: string } | { id: string },
  limit: number,
): Promise<JournalRow[]> {
  if ('id' in which) return waiting.list(on, 'where id = $1 and trouble is null', [which.id]);
  return waiting.list(
    on,
    `where task = $1 and trouble is null and id is not null
     order by created_at, id limit ${limit}`,
    [which.task],
  );
}

export const deleteBooked = overIds((places) => `delete from deferred where id in (${places})`);

/** False if the row is gone or already marked. */
export function markUnbookable(on: Runner, id: string, trouble: string): Promise<boolean> {
  const mark = 'update deferred set trouble = $1 where id = $2 and trouble is null returning id';
  return query.exists(on, mark, [trouble, id]);
}

/** A task as the file of the embedded store's journal has it. */
interface DeferredTask {
  task: string;
  input: string;
}

/** The parts of a posting that decide whether it can be booked. `isHealthy` checks the rest. */
const Input = z.object({
  batch: z.array(
    z.object({
      account_id: z.string().optional(),
      entry: z.custom<LedgerEntry>(isObject).optional(),
      request: z.custom<RequestRow>(isObject).optional(),
    }),
  ),
});
type WaitingPosting = z.infer<typeof Input>['batch'][number];

/** How many of the table are listed, and of the file. */
export const maxDeferred = 100;
const deferred = journal.pick('task', 'input', 'trouble', 'created_at');

export type DeferredRows = Awaited<ReturnType<typeof findDeferred>>;

/** Failed tasks first, then those that have waited longest, then those in the journal's file. */
export async function findDeferred(on: Runner, journaled: readonly DeferredTask[]) {
  const listed = await deferred.list(
    on,
    `order by case when trouble is null then 1 else 0 end, created_at limit ${maxDeferred + 1}`,
  );
  const found = listed.slice(0, maxDeferred);
  const inFile = journaled.slice(0, maxDeferred).map(({ task, input }) => {
    return { task, input, trouble: null, created_at: batchTime(input) };
  });
  const rows = [...found, ...inFile];
  const batches = rows.map(({ input }) => batchIn(input));
  const ids = batches.flatMap(
    (batch) => batch?.flatMap(({ account_id }) => account_id ?? []) ?? [],
  );
  const accounts = await findAccounts(on, [...new Set(ids)]);
  const tasks = rows.map(({ input: _input, ...row }, at) => ({
    ...row,
    /** The charges in the task, if it is readable. */
    settles: (batches[at] ?? []).flatMap(({ entry }) => (entry ? [entry as SettleEntry] : [])),
    /** True if nothing prevents the task from being booked. */
    is_healthy: isHealthy(batches[at], accounts),
  }));
  return { tasks, has_more: Math.max(listed.length, journaled.length) > maxDeferred };
}

const findAccounts = mapOfIds({}, (places) => `select id from accounts where id in (${places})`);

/** Decided from the row itself, because the audit only reads. */
function isHealthy(
  batch: readonly WaitingPosting[] | undefined,
  accounts: ReadonlyMap<string, unknown>,
): boolean {
  if (!batch) return false;
  return batch.every(({ account_id, entry, request }) => {
    if (!accounts.has(account_id ?? '') || (entry && !isMoney(entry))) return false;
    return !request || isLoggable(request);
  });
}

function isMoney(entry: LedgerEntry): boolean {
  try {
    assertMoney(entry);
    return entry.kind === 'settle';
  } catch {
    return false;
  }
}

function isLoggable({ id, key_id, tool, status, created_at, reported_cost }: RequestRow): boolean {
  const isNamed = [id, key_id, tool].every((name) => typeof name === 'string');
  return isNamed && [status, created_at, reported_cost ?? 0].every((one) => one >= 0);
}

/** An unreadable task cannot be booked either, and is reported without its charges. */
function batchIn(input: string): WaitingPosting[] | undefined {
  try {
    return Input.parse(JSON.parse(input)).batch;
  } catch {
    return undefined;
  }
}

/** When a batch was journaled. */
function batchTime(input: string): number {
  const read = z.object({ context: z.object({ now: z.number() }) }).safeParse(JSON.parse(input));
  return read.data?.context.now ?? 0;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
