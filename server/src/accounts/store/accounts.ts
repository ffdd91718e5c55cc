// Accounts: the unit that owns a balance, keys and jobs; and the policy in a column of an account or
// a key. A policy that sets no limit is null.
import { noPolicy, type Policy } from '@trivium/contract';
import {
  type Column,
  containing,
  inParts,
  is,
  json,
  type ListPage,
  orNull,
  query,
  reader,
  scanPage,
  type Row,
  type Runner,
  table,
  text,
  whole,
} from '../../store/index.ts';
import { exposedByJobs, heldByRequests } from '../../billing/index.ts';

const isLimit = is.absentOr(is.nullOr(is.number));
const isList = is.absentOr(is.nullOr(is.listOf(is.text)));

/** Its values were validated when it was written. */
const isStoredPolicy = is.shape<Partial<Policy>>({
  blocked_domains: isList,
  allowed_domains: isList,
  tools: isList,
  providers: isList,
  requests_per_minute: isLimit,
  requests_at_once: isLimit,
  max_cost_usd: isLimit,
  max_audio_minutes: isLimit,
  overdraft_usd: isLimit,
  max_stored_mb: isLimit,
  keep_query_hours: isLimit,
  content: is.absentOr(is.nullOr(is.text)),
});

function writePolicy(limits: Policy | undefined): string | null {
  if (!limits) return null;
  const given = Object.entries(limits).filter(([, value]) => value !== null);
  return given.length === 0 ? null : JSON.stringify(Object.fromEntries(given));
}

const storedPolicy = orNull(json(isStoredPolicy));

/** Throws if it cannot be read, because a limit must not be lost. */
export const policy: Column<Policy | undefined> = {
  type: 'text',
  read: (value, name) => {
    const limits = storedPolicy.read(value, name);
    return limits ? { ...noPolicy, ...limits } : undefined;
  },
  write: writePolicy,
};

const accounts = table(
  'accounts',
  { id: text, name: text, created_at: whole, low_balance: whole, policy },
  'account',
);
const insertNew = accounts.omit('low_balance').insertNew('id');

export function insertAccount(
  on: Runner,
  { id, name, policy: limits }: { id: string; name: string; policy?: Policy },
  at: number,
): Promise<boolean> {
  return insertNew(on, { id, name, created_at: at, policy: limits });
}

/** Changes the name, the policy, and the balance below which the event balance.low is sent. */
export const updateAccounts = accounts.omit('created_at').update('id');

const columns = `${accounts.columns}, posted, ${heldByRequests}, ${exposedByJobs}`;
const readMoney = reader({ posted: whole, held: whole, exposed: whole });

/**
 * Amounts in micro-USD. `policy` is undefined if it sets no limit. `exposed` is what its open jobs
 * can cost beyond their holds.
 */
export type AccountRow = ReturnType<typeof readAccountRow>;

function readAccountRow(row: Row) {
  return { ...accounts.read(row), ...readMoney(row) };
}

/** Newest first. */
export function listAccounts(on: Runner, page: ListPage & { text?: string | undefined }) {
  const indexed = [containing("lower(name || ' ' || id)", page.text?.toLowerCase())];
  return scanPage(on, { name: accounts.name, columns, read: readAccountRow, indexed }, page);
}

export function findAccount(
  on: Runner,
  id: string,
  lock?: string,
): Promise<AccountRow | undefined> {
  const locked = lock === undefined ? '' : on.lock(lock);
  const select = `select ${columns} from accounts where id = $1${locked}`;
  return query.row(on, readAccountRow, select, [id]);
}

const findNamesOf = {
  accounts: inParts({ id: text }, 'select id, name from accounts where id in (select v.id from v)'),
  keys: inParts({ id: text }, 'select id, name from keys where id in (select v.id from v)'),
};
const readName = reader({ id: text, name: text });

/** By id. */
export async function findNames(
  on: Runner,
  of: keyof typeof findNamesOf,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const distinct = [...new Set(ids)].map((id) => ({ id }));
  const rows = await findNamesOf[of](on, distinct);
  return new Map(rows.map(readName).map(({ id, name }) => [id, name]));
}
