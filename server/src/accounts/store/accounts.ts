// Accounts: the unit that owns a balance, keys and jobs.
import type { Policy } from '@trivium/contract';
import { readPolicy, writePolicy } from './policies.ts';
import { heldByRequests } from '../../store/held-amount.ts';
import type { AccountState } from '../../billing/core/book.ts';
import type { Row, Runner } from '../../store/database.ts';
import { olderThan, whereAll } from '../../store/filters.ts';
import type { ListPosition } from '../../store/filters.ts';

interface Account {
  id: string;
  name: string;
  policy?: Policy;
}

export async function insertAccount(on: Runner, account: Account, at: number): Promise<boolean> {
  const rows = await on.run(
    `insert into accounts (id, name, created_at, policy) values ($1, $2, $3, $4)
     on conflict (id) do nothing returning id`,
    [account.id, account.name, at, writePolicy(account.policy)],
  );
  return rows.length === 1;
}

export interface AccountRow extends AccountState {
  id: string;
  name: string;
  created_at: number;
  /** Undefined when it sets no limit. */
  policy: Policy | undefined;
}

/** Changes the name and the policy. */
export async function updateAccount(
  on: Runner,
  { id, name, policy }: Pick<AccountRow, 'id' | 'name' | 'policy'>,
): Promise<void> {
  await on.run('update accounts set name = $1, policy = $2 where id = $3', [
    name,
    writePolicy(policy),
    id,
  ]);
}

/** From newest to oldest. */
export async function listAccounts(
  on: Runner,
  position: ListPosition | undefined,
  limit: number,
): Promise<AccountRow[]> {
  const where = whereAll([olderThan(position)]);
  const rows = await on.run(
    `select ${accountColumns} from accounts${where.text}
     order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readAccount);
}

const accountColumns = `id, name, created_at, posted, ${heldByRequests}, policy`;

export async function findAccount(
  on: Runner,
  id: string,
  lock?: string,
): Promise<AccountRow | undefined> {
  const locked = lock === undefined ? '' : on.lock(lock);
  const [row] = await on.run(`select ${accountColumns} from accounts where id = $1${locked}`, [id]);
  return row && readAccount(row);
}

function readAccount(row: Row): AccountRow {
  return {
    id: String(row['id']),
    name: String(row['name']),
    created_at: Number(row['created_at']),
    posted: Number(row['posted']),
    held: Number(row['held']),
    policy: readPolicy(row['policy']),
  };
}
