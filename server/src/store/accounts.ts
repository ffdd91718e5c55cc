// Accounts: the unit that owns a balance, keys and jobs.
import type { AccountState } from '../domain/ledger/book.ts';
import type { Row, Runner } from '../platform/database.ts';
import { after, whereAll } from './filters.ts';
import type { Place } from './filters.ts';
import { idStatement } from './rows.ts';

export interface Account {
  id: string;
  name: string;
}

export async function insertAccount(on: Runner, account: Account, at: number): Promise<boolean> {
  const rows = await on.run(
    `insert into accounts (id, name, created_at) values ($1, $2, $3)
     on conflict (id) do nothing returning id`,
    [account.id, account.name, at],
  );
  return rows.length === 1;
}

export async function countAccounts(on: Runner): Promise<number> {
  const [row] = await on.run<{ count: unknown }>('select count(*) as count from accounts');
  return Number(row?.count ?? 0);
}

export interface AccountRow extends Account, AccountState {
  created_at: number;
}

/** From new to old. */
export async function listAccounts(
  on: Runner,
  place: Place | undefined,
  limit: number,
): Promise<AccountRow[]> {
  const where = whereAll([after(place)]);
  const rows = await on.run(
    `select id, name, created_at, posted, held from accounts${where.text}
     order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readAccount);
}

export async function findAccount(on: Runner, id: string): Promise<AccountRow | undefined> {
  const [row] = await on.run(
    'select id, name, created_at, posted, held from accounts where id = $1',
    [id],
  );
  return row && readAccount(row);
}

function readAccount(row: Row): AccountRow {
  return {
    id: String(row['id']),
    name: String(row['name']),
    created_at: Number(row['created_at']),
    posted: Number(row['posted']),
    held: Number(row['held']),
  };
}

const find_balances = idStatement(
  (places) => `select id, posted, held from accounts where id in (${places})`,
);

export async function findBalances(
  on: Runner,
  ids: readonly string[],
): Promise<Map<string, AccountState>> {
  const rows = await on.run(...find_balances(ids));
  return new Map(
    rows.map(({ id, posted, held }) => [
      String(id),
      { posted: Number(posted), held: Number(held) },
    ]),
  );
}

export async function findBalance(on: Runner, id: string): Promise<AccountState | undefined> {
  const [row] = await on.run('select posted, held from accounts where id = $1', [id]);
  return row && { posted: Number(row['posted']), held: Number(row['held']) };
}
