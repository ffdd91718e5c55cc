// The ledger's tables: balances of accounts, holds, transfers, and the daily spending of keys.
import { type Amount, assertAmount, zeroAmount } from '../core/amount.ts';
import type { AccountState, HoldState, KeyState, Transfer } from '../core/book.ts';
import {
  adding,
  type Column,
  flag,
  idStatement,
  inParts,
  lockedIds,
  orNull,
  query,
  reader,
  type Row,
  type RowOf,
  type Runner,
  table,
  text,
  textOf,
  whole,
} from '../../store/index.ts';

/** An amount that an error in the store cannot turn into money. */
const amount: Column<Amount> = {
  ...whole,
  read: (value, name) => assertAmount(Number(value), name()),
};

const holds = table(
  'holds',
  {
    id: text,
    account_id: text,
    key_id: orNull(text),
    amount,
    exposure: amount,
    created_at: whole,
    expires_at: orNull(whole),
    counted: flag,
    gateway_id: orNull(text),
    tags: orNull(text),
    served_by: orNull(text),
  },
  'hold',
);

const transfers = table('transfers', {
  id: text,
  kind: textOf<Transfer['kind']>(),
  account_id: text,
  amount: whole,
  hold_id: orNull(text),
  key_id: orNull(text),
  reason: orNull(text),
  created_at: whole,
  held: orNull(whole),
  tags: orNull(text),
});

/** As reports list them. */
export const listedTransfers = transfers.omit('held', 'tags');

const lockAccountsStatement = lockedIds(
  (places, lock) => `select id, posted, held, low_balance from accounts where id in (${places})
     order by id${lock}`,
);

const readAccount = reader({ id: text, posted: whole, held: whole, low_balance: whole });

/** Locks in id order, so that two gateways cannot deadlock. */
export async function lockAccounts(
  on: Runner,
  ids: readonly string[],
): Promise<Map<string, AccountState>> {
  const statement = lockAccountsStatement(on.lock('for update'));
  const rows = await query.rows(on, readAccount, ...statement(ids));
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

const findHoldsStatement = idStatement(
  (places) => `select ${holds.columns} from holds where id in (${places})`,
);

export function findHolds(on: Runner, ids: readonly string[]): Promise<HoldState[]> {
  return query.rows(on, readHold, ...findHoldsStatement(ids));
}

export interface DueHold {
  id: string;
  account_id: string;
}

/** Holds of requests that ended when their gateway died. */
export function findOrphanedHolds(on: Runner, limit: number): Promise<DueHold[]> {
  return on.run<DueHold>(
    `select id, account_id from holds
     where served_by is not null and served_by not in (select id from gateways) limit $1`,
    [limit],
  );
}

/** Expired holds of requests. Holds of jobs do not expire. */
export function findDueHolds(on: Runner, dueAt: number, limit: number): Promise<DueHold[]> {
  return on.run<DueHold>(
    `select id, account_id from holds where expires_at <= $1 order by expires_at limit $2`,
    [dueAt, limit],
  );
}

const insertHoldRows = holds.insert();

export async function insertHolds(on: Runner, opened: readonly HoldState[]): Promise<void> {
  await insertHoldRows(
    on,
    opened.map((hold) => ({ ...hold, exposure: hold.exposure ?? zeroAmount })),
  );
}

const findExposedStatement = idStatement(
  (places) => `select account_id as id, sum(exposure) as sum from holds
     where account_id in (${places}) and exposure > 0 group by account_id`,
);

/** What open jobs can cost beyond their holds, by account. */
export function findExposed(
  on: Runner,
  accountIds: readonly string[],
): Promise<Map<string, number>> {
  return readSums(on, findExposedStatement(accountIds));
}

const deleteHoldsStatement = idStatement((places) => `delete from holds where id in (${places})`);

/** Closes holds. The transfer of a settled hold has the same id. */
export async function deleteHolds(on: Runner, closed: readonly HoldState[]): Promise<void> {
  await on.run(...deleteHoldsStatement(closed.map(({ id }) => id)));
}

const addToAccountRows = inParts(
  { id: text, posted: whole, held: whole },
  `update accounts set posted = accounts.posted + v.posted, held = accounts.held + v.held
   from v where accounts.id = v.id`,
);

export async function addToAccounts(
  on: Runner,
  changes: ReadonlyMap<string, AccountState>,
): Promise<void> {
  await addToAccountRows(
    on,
    [...changes].map(([id, { posted, held }]) => ({ id, posted, held })),
  );
}

const findTransfersStatement = idStatement(
  (places) => `select ${transfers.columns} from transfers where id in (${places})`,
);

export function findTransfers(on: Runner, ids: readonly string[]): Promise<Transfer[]> {
  return query.rows(on, readTransfer, ...findTransfersStatement(ids));
}

const findRefundedStatement = idStatement(
  (places) => `select hold_id as id, sum(amount) as sum from transfers
     where kind = 'refund' and hold_id in (${places}) group by hold_id`,
);

/** The sum of refunds so far, by the hold that was charged. */
export function findRefunded(on: Runner, holdIds: readonly string[]): Promise<Map<string, number>> {
  return readSums(on, findRefundedStatement(holdIds));
}

export const insertTransfers = transfers.insert();

interface MonthSoFar {
  first_day: number;
  today: number;
}

const exposedSince = (day: string) => `(select coalesce(sum(exposure), 0) from holds
  where holds.account_id = keys.account_id and exposure > 0 and holds.key_id = keys.id
    and holds.created_at >= cast(${day} as bigint) * 86400000)`;

const findCappedKeysStatement = idStatement(
  (places) => `select keys.id, daily_cap, monthly_cap, daily_cap_reached, monthly_cap_reached,
       coalesce(sum(case when day = $2 then spent + key_days.held end), 0) as today,
       coalesce(sum(spent + key_days.held), 0) as this_month,
       ${exposedSince('$2')} as exposed_today, ${exposedSince('$1')} as exposed_this_month
     from keys left join key_days on key_days.key_id = keys.id and day >= $1
     where keys.id in (${places}) and (daily_cap is not null or monthly_cap is not null)
     group by keys.id, account_id, daily_cap, monthly_cap, daily_cap_reached, monthly_cap_reached`,
);

const spending = { today: whole, this_month: whole };
const readKey = reader({
  id: text,
  daily_cap: orNull(whole),
  monthly_cap: orNull(whole),
  ...spending,
  exposed_today: whole,
  exposed_this_month: whole,
  daily_cap_reached: orNull(text),
  monthly_cap_reached: orNull(text),
});

/** Only keys with a cap; the spending of other keys need not be summed. */
export async function findCappedKeys(
  on: Runner,
  ids: readonly string[],
  { first_day, today }: MonthSoFar,
): Promise<Map<string, KeyState>> {
  const rows = await query.rows(on, readKey, ...findCappedKeysStatement(ids, first_day, today));
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

interface CapMarks {
  daily?: string;
  monthly?: string;
}

const markCapRows = inParts(
  { id: text, daily: orNull(text), monthly: orNull(text) },
  `update keys set daily_cap_reached = coalesce(v.daily, daily_cap_reached),
     monthly_cap_reached = coalesce(v.monthly, monthly_cap_reached)
   from v where keys.id = v.id`,
);

/** The caps to mark as announced, by key. */
export async function markCapsReached(
  on: Runner,
  marks: ReadonlyMap<string, CapMarks>,
): Promise<void> {
  await markCapRows(
    on,
    [...marks].map(([id, caps]) => ({ id, ...caps })),
  );
}

const keyDays = table('key_days', { key_id: text, day: whole, spent: whole, held: whole });

export const addToKeyDays = keyDays.insert({
  end: adding('key_days', 'key_id, day', ['spent', 'held']),
});

function readHold(row: Row): HoldState {
  const { served_by: _servedBy, ...hold } = holds.read(row);
  return withTags(hold);
}

function readTransfer(row: Row): Transfer {
  return withTags(transfers.read(row));
}

const readSum = reader({ id: text, sum: whole });

async function readSums(on: Runner, statement: Parameters<Runner['run']>) {
  const rows = await query.rows(on, readSum, ...statement);
  return new Map(rows.map(({ id, sum }) => [id, sum]));
}

function withTags<T extends { tags: string | null }>({ tags, ...row }: T) {
  return tags === null ? row : { ...row, tags };
}

/** In micro-USD. */
type KeySpending = RowOf<typeof spending>;

const sumKeyDaysStatement = idStatement(
  (
    places,
  ) => `select key_id as id, coalesce(sum(case when day = $1 then spent + held end), 0) as today,
       sum(spent + held) as this_month
     from key_days where day >= $2 and key_id in (${places}) group by key_id`,
);

const readSpending = reader({ id: text, ...spending });

/** What keys have spent and hold, as their caps count it. A missing key has spent nothing. */
export async function sumKeyDays(
  on: Runner,
  keyIds: readonly string[],
  { first_day, today }: { first_day: number; today: number },
): Promise<Map<string, KeySpending>> {
  const rows = await query.rows(on, readSpending, ...sumKeyDaysStatement(keyIds, today, first_day));
  return new Map(rows.map(({ id, ...spent }) => [id, spent]));
}

/**
 * What the requests of an account hold. Amounts granted to gateways are part of `held`, so they are
 * subtracted.
 */
export const heldByRequests = `held - (select coalesce(sum(granted - booked), 0) from allowances
    where allowances.account_id = accounts.id) as held`;

/** What open jobs of an account can cost beyond their holds. */
export const exposedByJobs = `(select coalesce(sum(exposure), 0) from holds
    where holds.account_id = accounts.id and exposure > 0) as exposed`;

const findBalancesStatement = idStatement(
  (places) => `select id, posted, held from accounts where id in (${places})`,
);
const money = { posted: whole, held: whole };
const readBalance = reader(money);
const readBalanceOf = reader({ id: text, ...money });

export async function findBalances(
  on: Runner,
  ids: readonly string[],
): Promise<Map<string, AccountState>> {
  const rows = await query.rows(on, readBalanceOf, ...findBalancesStatement(ids));
  return new Map(rows.map(({ id, ...balance }) => [id, balance]));
}

export function findBalance(on: Runner, id: string): Promise<AccountState | undefined> {
  const select = `select posted, ${heldByRequests} from accounts where id = $1`;
  return query.row(on, readBalance, select, [id]);
}
