// Accounts: the unit that owns a balance, keys and jobs.
import type { Policy } from '@trivium/contract';
import { readPolicy, writePolicy } from './policies.ts';
import {
  containing,
  type ListPosition,
  olderThan,
  reader,
  type Row,
  type Runner,
  text,
  whereAll,
  whole,
} from '../../store/index.ts';
import type { AccountState } from '../../billing/core/index.ts';
import { exposedByJobs, heldByRequests } from '../../billing/index.ts';

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
  /** Undefined if it sets no limit. */
  policy: Policy | undefined;
  /** In micro-USD. The event balance.low is sent when the balance falls below this. */
  low_balance: number;
  /** What its open jobs can cost beyond their holds. */
  exposed: number;
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

export async function putLowBalance(on: Runner, id: string, amount: number): Promise<void> {
  await on.run('update accounts set low_balance = $2 where id = $1', [id, amount]);
}

const columns = `id, name, created_at, posted, low_balance, ${heldByRequests}, ${exposedByJobs}, policy`;

/** Newest first. */
export async function listAccounts(
  on: Runner,
  position: ListPosition | undefined,
  limit: number,
  words?: string,
): Promise<AccountRow[]> {
  const where = whereAll([containing("name || ' ' || id", words), olderThan(position)]);
  const rows = await on.run(
    `select ${columns} from accounts${where.text}
     order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readAccount);
}

export async function findAccount(
  on: Runner,
  id: string,
  lock?: string,
): Promise<AccountRow | undefined> {
  const locked = lock === undefined ? '' : on.lock(lock);
  const [row] = await on.run(`select ${columns} from accounts where id = $1${locked}`, [id]);
  return row && readAccount(row);
}

const readColumns = reader({
  id: text,
  name: text,
  created_at: whole,
  posted: whole,
  held: whole,
  low_balance: whole,
  exposed: whole,
});

function readAccount(row: Row): AccountRow {
  return { ...readColumns(row), policy: readPolicy(row['policy']) };
}
