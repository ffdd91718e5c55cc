// Accounts: the unit that owns a balance, keys and jobs.
import type { AccountState } from '../domain/ledger/book.ts';
import type { Runner } from '../platform/database.ts';

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

export async function findBalance(on: Runner, id: string): Promise<AccountState | undefined> {
  const [row] = await on.run('select posted, held from accounts where id = $1', [id]);
  return row && { posted: Number(row['posted']), held: Number(row['held']) };
}
