// The ledger's rows: accounts locked and moved, holds, transfers, what each key spends in a day.
import type { AccountState, HoldState, KeyDay, KeyState, Transfer } from '../domain/ledger/book.ts';
import type { Row, Runner } from '../platform/database.ts';
import { placeList, rowList } from './rows.ts';

/** Locks in id order, so that two gateways never wait for each other. */
export async function lockAccounts(
  on: Runner,
  ids: readonly string[],
): Promise<Map<string, AccountState>> {
  const list = placeList(ids);
  const rows = await on.run(
    `select id, posted, held from accounts where id in (${list.text})
     order by id${on.lock('for update')}`,
    list.values,
  );
  return new Map(
    rows.map(({ id, posted, held }) => [
      String(id),
      { posted: Number(posted), held: Number(held) },
    ]),
  );
}

export async function findHolds(on: Runner, ids: readonly string[]): Promise<HoldState[]> {
  const list = placeList(ids);
  const rows = await on.run(
    `select id, account_id, key_id, amount, state, cost, refunded, created_at, expires_at
     from holds where id in (${list.text})`,
    list.values,
  );
  return rows.map(readHold);
}

export interface DueHold {
  id: string;
  account_id: string;
}

/** Holds of requests that never came back. Job holds have no expiry and are not among them. */
export function findDueHolds(on: Runner, due_at: number, limit: number): Promise<DueHold[]> {
  return on.run<DueHold>(
    `select id, account_id from holds where state = 'held' and expires_at <= $1
     order by expires_at limit $2`,
    [due_at, limit],
  );
}

export async function insertHolds(on: Runner, holds: readonly HoldState[]): Promise<void> {
  const list = rowList(
    ['text', 'text', 'text', 'bigint', 'text', 'bigint', 'bigint', 'bigint', 'bigint'],
    holds.map((hold) => [
      hold.id,
      hold.account_id,
      hold.key_id,
      hold.amount,
      hold.state,
      hold.cost,
      hold.refunded,
      hold.created_at,
      hold.expires_at,
    ]),
  );
  await on.run(
    `insert into holds
       (id, account_id, key_id, amount, state, cost, refunded, created_at, expires_at)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9
     from ${list.text} where column1 is not null`,
    list.values,
  );
}

export async function updateHolds(on: Runner, holds: readonly HoldState[]): Promise<void> {
  const list = rowList(
    ['text', 'text', 'bigint', 'bigint'],
    holds.map(({ id, state, cost, refunded }) => [id, state, cost, refunded]),
  );
  await on.run(
    `update holds set state = v.column2, cost = v.column3, refunded = v.column4
     from ${list.text} where holds.id = v.column1`,
    list.values,
  );
}

/** Closed holds have said all they know in their transfers. */
export async function deleteClosedHolds(
  on: Runner,
  created_before: number,
  limit: number,
): Promise<number> {
  const rows = await on.run(
    `delete from holds where id in
       (select id from holds where created_at < $1 and state <> 'held'
        order by created_at limit $2)
     returning id`,
    [created_before, limit],
  );
  return rows.length;
}

export async function addToAccounts(
  on: Runner,
  changes: ReadonlyMap<string, AccountState>,
): Promise<void> {
  const list = rowList(
    ['text', 'bigint', 'bigint'],
    [...changes].map(([id, { posted, held }]) => [id, posted, held]),
  );
  await on.run(
    `update accounts set posted = accounts.posted + v.column2, held = accounts.held + v.column3
     from ${list.text} where accounts.id = v.column1`,
    list.values,
  );
}

export async function findTransfers(on: Runner, ids: readonly string[]): Promise<Transfer[]> {
  const list = placeList(ids);
  const rows = await on.run(
    `select id, kind, account_id, amount, hold_id, key_id, reason, created_at
     from transfers where id in (${list.text})`,
    list.values,
  );
  return rows.map(readTransfer);
}

export async function insertTransfers(on: Runner, transfers: readonly Transfer[]): Promise<void> {
  const list = rowList(
    ['text', 'text', 'text', 'bigint', 'text', 'text', 'text', 'bigint'],
    transfers.map((line) => [
      line.id,
      line.kind,
      line.account_id,
      line.amount,
      line.hold_id,
      line.key_id,
      line.reason,
      line.created_at,
    ]),
  );
  await on.run(
    `insert into transfers (id, kind, account_id, amount, hold_id, key_id, reason, created_at)
     select column1, column2, column3, column4, column5, column6, column7, column8
     from ${list.text} where column1 is not null`,
    list.values,
  );
}

export interface MonthSoFar {
  first_day: number;
  today: number;
}

/** Only keys with a cap; for all others nothing has to be added up. */
export async function findCappedKeys(
  on: Runner,
  ids: readonly string[],
  { first_day, today }: MonthSoFar,
): Promise<Map<string, KeyState>> {
  const list = placeList(ids, 3);
  const rows = await on.run(
    `select keys.id, daily_cap, monthly_cap,
       coalesce(sum(case when day = $2 then spent + key_days.held end), 0) as today,
       coalesce(sum(spent + key_days.held), 0) as this_month
     from keys left join key_days on key_days.key_id = keys.id and day >= $1
     where keys.id in (${list.text}) and (daily_cap is not null or monthly_cap is not null)
     group by keys.id, daily_cap, monthly_cap`,
    [first_day, today, ...list.values],
  );
  return new Map(
    rows.map((row) => [
      String(row['id']),
      {
        daily_cap: wholeOrNull(row['daily_cap']),
        monthly_cap: wholeOrNull(row['monthly_cap']),
        today: Number(row['today']),
        this_month: Number(row['this_month']),
      },
    ]),
  );
}

export async function addToKeyDays(on: Runner, changes: readonly KeyDay[]): Promise<void> {
  const list = rowList(
    ['text', 'bigint', 'bigint', 'bigint'],
    changes.map(({ key_id, day, spent, held }) => [key_id, day, spent, held]),
  );
  await on.run(
    `insert into key_days (key_id, day, spent, held)
     select column1, column2, column3, column4 from ${list.text} where column1 is not null
     on conflict (key_id, day) do update set
       spent = key_days.spent + excluded.spent, held = key_days.held + excluded.held`,
    list.values,
  );
}

function readHold(row: Row): HoldState {
  return {
    id: String(row['id']),
    account_id: String(row['account_id']),
    key_id: textOrNull(row['key_id']),
    amount: Number(row['amount']),
    state: row['state'] as HoldState['state'],
    cost: wholeOrNull(row['cost']),
    refunded: Number(row['refunded']),
    created_at: Number(row['created_at']),
    expires_at: wholeOrNull(row['expires_at']),
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
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** PostgreSQL hands out bigint as text. */
function wholeOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}
