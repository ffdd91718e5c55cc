// The ledger's tables: balances of accounts, holds, transfers, and the daily spending of keys.
import { assertAmount } from '../core/amount.ts';
import type { AccountState, HoldState, KeyDay, KeyState, Transfer } from '../core/book.ts';
import {
  idStatement,
  lockedIds,
  type Row,
  rowStatement,
  type Runner,
  textOrNull,
  wholeOrNull,
} from '../../store/index.ts';

const lockAccountsStatement = lockedIds(
  (places, lock) => `select id, posted, held, low_balance from accounts where id in (${places})
     order by id${lock}`,
);

/** Locks in id order, so that two gateways cannot deadlock. */
export async function lockAccounts(
  on: Runner,
  ids: readonly string[],
): Promise<Map<string, AccountState>> {
  const rows = await on.run(...lockAccountsStatement(on.lock('for update'))(ids));
  return new Map(
    rows.map(({ id, posted, held, low_balance }) => [
      String(id),
      { posted: Number(posted), held: Number(held), low_balance: Number(low_balance) },
    ]),
  );
}

const findHoldsStatement = idStatement(
  (places) => `select id, account_id, key_id, amount, exposure, created_at, expires_at, counted,
       gateway_id, tags
     from holds where id in (${places})`,
);

export async function findHolds(on: Runner, ids: readonly string[]): Promise<HoldState[]> {
  return (await on.run(...findHoldsStatement(ids))).map(readHold);
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

const insertHoldsStatement = rowStatement(
  [
    ...(['text', 'text', 'text', 'bigint', 'bigint', 'bigint', 'bigint'] as const),
    ...(['text', 'text', 'text', 'bigint'] as const),
  ],
  (table) => `insert into holds
       (id, account_id, key_id, amount, created_at, expires_at, counted, gateway_id, tags,
        served_by, exposure)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9,
       column10, column11
     from ${table} where column1 is not null`,
);

export async function insertHolds(on: Runner, holds: readonly HoldState[]): Promise<void> {
  const rows = holds.map((hold) => [
    hold.id,
    hold.account_id,
    hold.key_id,
    hold.amount,
    hold.created_at,
    hold.expires_at,
    hold.counted ? 1 : 0,
    hold.gateway_id ?? null,
    hold.tags ?? null,
    hold.served_by ?? null,
    hold.exposure ?? 0,
  ]);
  await on.run(...insertHoldsStatement(rows));
}

const findExposedStatement = idStatement(
  (places) => `select account_id, sum(exposure) as exposed from holds
     where account_id in (${places}) and exposure > 0 group by account_id`,
);

/** What open jobs can cost beyond their holds, by account. */
export async function findExposed(
  on: Runner,
  accountIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await on.run(...findExposedStatement(accountIds));
  return new Map(rows.map(({ account_id, exposed }) => [String(account_id), Number(exposed)]));
}

const deleteHoldsStatement = idStatement((places) => `delete from holds where id in (${places})`);

/** Closes holds. The transfer of a settled hold has the same id. */
export async function deleteHolds(on: Runner, holds: readonly HoldState[]): Promise<void> {
  await on.run(...deleteHoldsStatement(holds.map(({ id }) => id)));
}

const addToAccountsStatement = rowStatement(
  ['text', 'bigint', 'bigint'],
  (table) => `update accounts
     set posted = accounts.posted + v.column2, held = accounts.held + v.column3
     from ${table} where accounts.id = v.column1`,
);

export async function addToAccounts(
  on: Runner,
  changes: ReadonlyMap<string, AccountState>,
): Promise<void> {
  const rows = [...changes].map(([id, { posted, held }]) => [id, posted, held]);
  await on.run(...addToAccountsStatement(rows));
}

const findTransfersStatement = idStatement(
  (places) => `select id, kind, account_id, amount, hold_id, key_id, reason, created_at, tags
     from transfers where id in (${places})`,
);

export async function findTransfers(on: Runner, ids: readonly string[]): Promise<Transfer[]> {
  return (await on.run(...findTransfersStatement(ids))).map(readTransfer);
}

const findRefundedStatement = idStatement(
  (places) => `select hold_id, sum(amount) as refunded from transfers
     where kind = 'refund' and hold_id in (${places}) group by hold_id`,
);

/** The sum of refunds so far, by the hold that was charged. */
export async function findRefunded(
  on: Runner,
  holdIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await on.run(...findRefundedStatement(holdIds));
  return new Map(rows.map(({ hold_id, refunded }) => [String(hold_id), Number(refunded)]));
}

const insertTransfersStatement = rowStatement(
  ['text', 'text', 'text', 'bigint', 'text', 'text', 'text', 'bigint', 'bigint', 'text'],
  (table) => `insert into transfers
       (id, kind, account_id, amount, hold_id, key_id, reason, created_at, held, tags)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9,
       column10
     from ${table} where column1 is not null`,
);

export async function insertTransfers(on: Runner, transfers: readonly Transfer[]): Promise<void> {
  const rows = transfers.map((line) => [
    line.id,
    line.kind,
    line.account_id,
    line.amount,
    line.hold_id,
    line.key_id,
    line.reason,
    line.created_at,
    line.held ?? null,
    line.tags ?? null,
  ]);
  await on.run(...insertTransfersStatement(rows));
}

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

/** Only keys with a cap; the spending of other keys need not be summed. */
export async function findCappedKeys(
  on: Runner,
  ids: readonly string[],
  { first_day, today }: MonthSoFar,
): Promise<Map<string, KeyState>> {
  const rows = await on.run(...findCappedKeysStatement(ids, first_day, today));
  return new Map(
    rows.map((row) => [
      String(row['id']),
      {
        daily_cap: wholeOrNull(row['daily_cap']),
        monthly_cap: wholeOrNull(row['monthly_cap']),
        today: Number(row['today']),
        this_month: Number(row['this_month']),
        exposed_today: Number(row['exposed_today']),
        exposed_this_month: Number(row['exposed_this_month']),
        daily_cap_reached: textOrNull(row['daily_cap_reached']),
        monthly_cap_reached: textOrNull(row['monthly_cap_reached']),
      },
    ]),
  );
}

interface CapMarks {
  daily?: string;
  monthly?: string;
}

const markCapsReachedStatement = rowStatement(
  ['text', 'text', 'text'],
  (table) => `update keys set daily_cap_reached = coalesce(v.column2, daily_cap_reached),
       monthly_cap_reached = coalesce(v.column3, monthly_cap_reached)
     from ${table} where keys.id = v.column1`,
);

/** The caps to mark as announced, by key. */
export async function markCapsReached(
  on: Runner,
  marks: ReadonlyMap<string, CapMarks>,
): Promise<void> {
  const rows = [...marks].map(([id, { daily, monthly }]) => [id, daily ?? null, monthly ?? null]);
  await on.run(...markCapsReachedStatement(rows));
}

const addToKeyDaysStatement = rowStatement(
  ['text', 'bigint', 'bigint', 'bigint'],
  (table) => `insert into key_days (key_id, day, spent, held)
     select column1, column2, column3, column4 from ${table} where column1 is not null
     on conflict (key_id, day) do update set
       spent = key_days.spent + excluded.spent, held = key_days.held + excluded.held`,
);

export async function addToKeyDays(on: Runner, changes: readonly KeyDay[]): Promise<void> {
  const rows = changes.map(({ key_id, day, spent, held }) => [key_id, day, spent, held]);
  await on.run(...addToKeyDaysStatement(rows));
}

function readHold(row: Row): HoldState {
  return {
    id: String(row['id']),
    account_id: String(row['account_id']),
    key_id: textOrNull(row['key_id']),
    amount: assertAmount(Number(row['amount']), `the hold ${String(row['id'])}`),
    exposure: assertAmount(Number(row['exposure']), `the exposure of ${String(row['id'])}`),
    created_at: Number(row['created_at']),
    expires_at: wholeOrNull(row['expires_at']),
    counted: Number(row['counted']) === 1,
    gateway_id: textOrNull(row['gateway_id']),
    ...tagsIn(row),
  };
}

export function readTransfer(row: Row): Transfer {
  return {
    id: String(row['id']),
    kind: row['kind'] as Transfer['kind'],
    account_id: String(row['account_id']),
    amount: Number(row['amount']),
    hold_id: textOrNull(row['hold_id']),
    key_id: textOrNull(row['key_id']),
    reason: textOrNull(row['reason']),
    created_at: Number(row['created_at']),
    ...tagsIn(row),
  };
}

function tagsIn(row: Row): { tags?: string } {
  const { tags } = row;
  return typeof tags === 'string' ? { tags } : {};
}

interface KeySpending {
  /** In micro-USD. */
  today: number;
  this_month: number;
}

const sumKeyDaysStatement = idStatement(
  (places) => `select key_id, coalesce(sum(case when day = $1 then spent + held end), 0) as today,
       sum(spent + held) as this_month
     from key_days where day >= $2 and key_id in (${places}) group by key_id`,
);

/** What keys have spent and hold, as their caps count it. A missing key has spent nothing. */
export async function sumKeyDays(
  on: Runner,
  keyIds: readonly string[],
  { first_day, today }: { first_day: number; today: number },
): Promise<Map<string, KeySpending>> {
  const rows = await on.run(...sumKeyDaysStatement(keyIds, today, first_day));
  return new Map(
    rows.map((row) => [
      String(row['key_id']),
      { today: Number(row['today']), this_month: Number(row['this_month']) },
    ]),
  );
}
