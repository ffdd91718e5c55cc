// The ledger's tables: balances of accounts, holds, transfers, and the daily spending of keys.
import { type Amount, assertAmount, zeroAmount } from '../core/amount.ts';
import type { AccountState, HoldState, Transfer } from '../core/book.ts';
import {
  equal,
  type Column,
  type Filter,
  flag,
  inParts,
  type ListPage,
  mapOfIds,
  orNull,
  overIds,
  query,
  reader,
  type Runner,
  scanPage,
  sumsTable,
  table,
  text,
  textOf,
  timeFilters,
  type TimeRange,
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
const listed = transfers.omit('held', 'tags');

const money = { posted: whole, held: whole };

/** Locks in id order, so that two gateways cannot deadlock. */
export const lockAccounts = mapOfIds(
  { ...money, low_balance: whole },
  (places, lock) => `select id, posted, held, low_balance from accounts where id in (${places})
     order by id${lock}`,
  'for update',
);

const listHolds = holds.omit('served_by').ofIds('id');

export async function findHolds(on: Runner, ids: readonly string[]): Promise<HoldState[]> {
  return (await listHolds(on, ids)).map(withTags);
}

const due = holds.pick('id', 'account_id');
export type DueHold = ReturnType<typeof due.read>;

/** Holds of requests that ended when their gateway died. */
export function findOrphanedHolds(on: Runner, limit: number): Promise<DueHold[]> {
  const orphaned = 'served_by is not null and served_by not in (select id from gateways)';
  return due.list(on, `where ${orphaned} limit $1`, [limit]);
}

/** Expired holds of requests. Holds of jobs do not expire. */
export function findDueHolds(on: Runner, dueAt: number, limit: number): Promise<DueHold[]> {
  return due.list(on, 'where expires_at <= $1 order by expires_at limit $2', [dueAt, limit]);
}

const insertHoldRows = holds.insert();

export async function insertHolds(on: Runner, opened: readonly HoldState[]): Promise<void> {
  await insertHoldRows(
    on,
    opened.map((hold) => ({ ...hold, exposure: hold.exposure ?? zeroAmount })),
  );
}

/** What open jobs can cost beyond their holds, by account. */
export const findExposed = sumsOf(
  (places) => `select account_id as id, sum(exposure) as sum from holds
     where account_id in (${places}) and exposure > 0 group by account_id`,
);

/** Closes holds. The transfer of a settled hold has the same id. */
export const deleteHolds = overIds((places) => `delete from holds where id in (${places})`);

export const addToAccounts = inParts(
  { id: text, posted: whole, held: whole },
  `update accounts set posted = accounts.posted + v.posted, held = accounts.held + v.held
   from v where accounts.id = v.id`,
);

const listTransfersOf = transfers.ofIds('id');

export async function findTransfers(on: Runner, ids: readonly string[]): Promise<Transfer[]> {
  return (await listTransfersOf(on, ids)).map(withTags);
}

/** The sum of refunds so far, by the hold that was charged. */
export const findRefunded = sumsOf(
  (places) => `select hold_id as id, sum(amount) as sum from transfers
     where kind = 'refund' and hold_id in (${places}) group by hold_id`,
);

export const insertTransfers = transfers.insert();

const exposedSince = (day: string) => `(select coalesce(sum(exposure), 0) from holds
  where holds.account_id = keys.account_id and exposure > 0 and holds.key_id = keys.id
    and holds.created_at >= cast(${day} as bigint) * 86400000)`;

const spending = { today: whole, this_month: whole };

/** Given the first day of the month and today. Only keys with a cap need their sums. */
export const findCappedKeys = mapOfIds(
  {
    daily_cap: orNull(whole),
    monthly_cap: orNull(whole),
    ...spending,
    exposed_today: whole,
    exposed_this_month: whole,
    daily_cap_reached: orNull(text),
    monthly_cap_reached: orNull(text),
  },
  (places) => `select keys.id, daily_cap, monthly_cap, daily_cap_reached, monthly_cap_reached,
       coalesce(sum(case when day = $2 then spent + key_days.held end), 0) as today,
       coalesce(sum(spent + key_days.held), 0) as this_month,
       ${exposedSince('$2')} as exposed_today, ${exposedSince('$1')} as exposed_this_month
     from keys left join key_days on key_days.key_id = keys.id and day >= $1
     where keys.id in (${places}) and (daily_cap is not null or monthly_cap is not null)
     group by keys.id, account_id, daily_cap, monthly_cap, daily_cap_reached, monthly_cap_reached`,
);

/** Marks caps as announced. */
export const markCapsReached = inParts(
  { id: text, daily: orNull(text), monthly: orNull(text) },
  `update keys set daily_cap_reached = coalesce(v.daily, daily_cap_reached),
     monthly_cap_reached = coalesce(v.monthly, monthly_cap_reached)
   from v where keys.id = v.id`,
);

const keyDays = sumsTable('key_days', { key_id: text, day: whole }, { spent: whole, held: whole });

export const addToKeyDays = keyDays.add;

function sumsOf(write: (places: string) => string) {
  const find = mapOfIds({ sum: whole }, write);
  return async (on: Runner, ids: readonly string[]): Promise<Map<string, number>> =>
    new Map([...(await find(on, ids))].map(([id, { sum }]) => [id, sum]));
}

function withTags<T extends { tags: string | null }>({ tags, ...row }: T) {
  return { ...row, tags: tags ?? undefined };
}

/** Like `findCappedKeys`, for any keys. A missing key has spent nothing. */
export const sumKeyDays = mapOfIds(
  spending,
  (places) => `select key_id as id, sum(spent + held) as this_month,
       coalesce(sum(case when day = $2 then spent + held end), 0) as today
     from key_days where day >= $1 and key_id in (${places}) group by key_id`,
);

/** Of the requests of an account: what is granted to gateways counts as held, too. */
export const heldByRequests = `held - (select coalesce(sum(granted - booked), 0) from allowances
    where allowances.account_id = accounts.id) as held`;

/** What open jobs of an account can cost beyond their holds. */
export const exposedByJobs = `(select coalesce(sum(exposure), 0) from holds
    where holds.account_id = accounts.id and exposure > 0) as exposed`;

export const findBalances = mapOfIds(
  money,
  (places) => `select id, posted, held from accounts where id in (${places})`,
);
const readBalance = reader(money);

export function findBalance(on: Runner, id: string): Promise<AccountState | undefined> {
  const select = `select posted, ${heldByRequests} from accounts where id = $1`;
  return query.row(on, readBalance, select, [id]);
}

export interface TransferPage extends TimeRange, ListPage {
  account_id?: string | undefined;
  key_id?: string | undefined;
  kind?: string | undefined;
}

export function listTransfers(on: Runner, page: TransferPage) {
  const { account_id, key_id, kind } = page;
  const indexed: Filter[] = [
    ...equal({ account_id }),
    // The few transfers that are not charges have their own index.
    ...(kind === undefined || kind === 'settle' ? [] : [{ text: "kind <> 'settle'", values: [] }]),
    ...timeFilters(page),
  ];
  const others = equal({ key_id, kind });
  return scanPage(on, { ...listed, indexed, others }, page);
}

/** When money was last added to an account or removed, except by requests. 0 if never. */
export function findLastMovement(on: Runner, accountId: string): Promise<number> {
  return query.number(
    on,
    `select max(created_at) from transfers where account_id = $1 and kind <> 'settle'`,
    [accountId],
  );
}

/** At most this many newer lines are added up. Lines before them have no balance. */
const maxLines = 20_000;

/** By line: the posted amount of its account, given with the oldest time, and newer lines. */
export const findNewer = mapOfIds(
  { posted: whole, newer: whole },
  (places) => `select id, newer, (select posted from accounts where id = $1) as posted from (
       select id, coalesce(sum(amount) over (order by created_at desc, id desc
         rows between unbounded preceding and 1 preceding), 0) as newer
       from (select id, created_at, amount from transfers
         where account_id = $1 and created_at >= $2
         order by created_at desc, id desc limit ${maxLines}) as latest) as summed
     where id in (${places})`,
);

const readFund = reader({ amount: orNull(whole), has_others: flag });

/** The amount of one transfer, if it exists, and whether an operator has moved other money. */
export function findFunds(on: Runner, id: string) {
  const others = `select id from transfers where kind in ('topup', 'adjust') and id <> $1`;
  const text = `select (select amount from transfers where id = $1) as amount,
    case when exists (${others}) then 1 else 0 end as has_others`;
  return query.row(on, readFund, text, [id]);
}
