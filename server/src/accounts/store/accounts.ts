// Accounts: the unit that owns a balance, keys and jobs.
import type { Policy } from '@trivium/contract';
import { policy, writePolicy } from './policies.ts';
import {
  containing,
  type ListPage,
  olderThan,
  query,
  reader,
  type Row,
  type Runner,
  table,
  text,
  whereAll,
  whole,
} from '../../store/index.ts';
import { exposedByJobs, heldByRequests } from '../../billing/index.ts';

const accounts = table(
  'accounts',
  { id: text, name: text, created_at: whole, low_balance: whole, policy },
  'account',
);
const insertNew = accounts.omit('low_balance').insertNew('id');

interface Account {
  id: string;
  name: string;
  policy?: Policy;
}

export function insertAccount(
  on: Runner,
  { id, name, policy: limits }: Account,
  at: number,
): Promise<boolean> {
  return insertNew(on, { id, name, created_at: at, policy: limits });
}

const readMoney = reader({ posted: whole, held: whole, exposed: whole });

/**
 * Amounts in micro-USD. `policy` is undefined if it sets no limit. The event balance.low is sent
 * when the balance falls below `low_balance`. `exposed` is what its open jobs can cost beyond their
 * holds.
 */
export type AccountRow = ReturnType<typeof readAccount>;

/** Changes the name and the policy. */
export async function updateAccount(
  on: Runner,
  { id, name, policy: limits }: Pick<AccountRow, 'id' | 'name' | 'policy'>,
): Promise<void> {
  await on.run('update accounts set name = $1, policy = $2 where id = $3', [
    name,
    writePolicy(limits),
    id,
  ]);
}

export async function putLowBalance(on: Runner, id: string, amount: number): Promise<void> {
  await on.run('update accounts set low_balance = $2 where id = $1', [id, amount]);
}

const columns = `${accounts.columns}, posted, ${heldByRequests}, ${exposedByJobs}`;

/** Newest first. */
export function listAccounts(
  on: Runner,
  { position, limit }: ListPage,
  words?: string,
): Promise<AccountRow[]> {
  const where = whereAll([containing("name || ' ' || id", words), olderThan(position)]);
  return query.rows(
    on,
    readAccount,
    `select ${columns} from accounts${where.text}
     order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
}

export function findAccount(
  on: Runner,
  id: string,
  lock?: string,
): Promise<AccountRow | undefined> {
  const locked = lock === undefined ? '' : on.lock(lock);
  return query.row(on, readAccount, `select ${columns} from accounts where id = $1${locked}`, [id]);
}

function readAccount(row: Row) {
  return { ...accounts.read(row), ...readMoney(row) };
}
