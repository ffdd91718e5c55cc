// Deferred tasks as the audit reads them. The SQLite thread writes and runs them.
import { z } from 'zod';
import { assertMoney } from '../core/decide.ts';
import type { Entry } from '../core/entries.ts';
import type { RequestRow } from '../../requests/core/index.ts';
import { idStatement, query, type Runner } from '../../store/index.ts';
import { journal } from './journal.ts';

/** The parts of a posting that decide whether it can be booked. `isHealthy` checks the rest. */
const Input = z.object({
  batch: z.array(
    z.object({
      account_id: z.string().optional(),
      entry: z.custom<Entry>(isObject).optional(),
      request: z.custom<RequestRow>(isObject).optional(),
    }),
  ),
});
type Posting = z.infer<typeof Input>['batch'][number];

export interface DeferredRow {
  task: string;
  /** Why it could not be booked. Null while it waits to be booked. */
  trouble: string | null;
  created_at: number;
  /** The charges in the task, if it is readable. */
  settles: DeferredSettle[];
  /** True if nothing prevents the task from being booked. */
  is_healthy: boolean;
}

interface DeferredSettle {
  account_id: string;
  id: string;
  cost: number;
}

const maxRows = 100;
const deferred = journal.pick('task', 'input', 'trouble', 'created_at');

/** Failed tasks first, then those that have waited longest. */
export async function findDeferred(on: Runner): Promise<DeferredRow[]> {
  const rows = await deferred.list(
    on,
    `order by case when trouble is null then 1 else 0 end, created_at limit ${maxRows}`,
  );
  const batches = rows.map(({ input }) => batchIn(input));
  const accounts = await findAccounts(
    on,
    batches.flatMap((batch) => batch ?? []),
  );
  return rows.map(({ input: _input, ...row }, at) => ({
    ...row,
    settles: (batches[at] ?? []).flatMap(({ entry }) => (entry ? [entry as DeferredSettle] : [])),
    is_healthy: isHealthy(batches[at], accounts),
  }));
}

const accountsStatement = idStatement(
  (places) => `select id from accounts where id in (${places})`,
);

/** The accounts of the postings, if they exist. */
async function findAccounts(on: Runner, postings: readonly Posting[]): Promise<Set<string>> {
  const ids = new Set(postings.flatMap(({ account_id }) => account_id ?? []));
  return new Set(await query.texts(on, ...accountsStatement([...ids])));
}

/** Decided from the row itself, because the audit only reads. */
function isHealthy(batch: readonly Posting[] | undefined, accounts: ReadonlySet<string>): boolean {
  if (!batch) return false;
  return batch.every(({ account_id, entry, request }) => {
    if (!accounts.has(account_id ?? '') || (entry && !isMoney(entry))) return false;
    return !request || isLoggable(request);
  });
}

function isMoney(entry: Entry): boolean {
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
function batchIn(input: string): Posting[] | undefined {
  try {
    return Input.parse(JSON.parse(input)).batch;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
