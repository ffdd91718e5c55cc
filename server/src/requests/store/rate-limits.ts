// Counts requests per minute, for keys and whole accounts that have a limit.
import { rateLimitKey } from '../core/rate-limit.ts';
import type { KeyMinute, KeyOfAccount } from '../core/rate-limit.ts';
import { deleteSteps, type Row, rowStatement, type Runner } from '../../store/index.ts';

const findMinutes = rowStatement(
  ['text', 'text', 'bigint'],
  (table) => `select account_id, key_id, requests from key_minutes join ${table}
     on minute = v.column3 and account_id = v.column1 and key_id = v.column2`,
);

export async function findKeyMinutes(
  on: Runner,
  keys: readonly KeyOfAccount[],
  minute: number,
): Promise<KeyMinute[]> {
  return (await on.run(...findMinutes(rowsOf(keys, minute)))).map(readCount);
}

function rowsOf(keys: readonly KeyOfAccount[], at: number): (string | number)[][] {
  const distinct = new Map(keys.map((key) => [rateLimitKey(key), key]));
  return [...distinct.values()].map(({ account_id, key_id }) => [account_id, key_id, at]);
}

function readCount({ account_id, key_id, requests }: Row): KeyMinute {
  return {
    account_id: String(account_id),
    key_id: String(key_id),
    requests: Number(requests),
  };
}

const addToMinutes = rowStatement(
  ['text', 'text', 'bigint', 'bigint'],
  (table) => `insert into key_minutes (account_id, key_id, minute, requests)
     select column1, column2, column3, column4 from ${table} where column1 is not null
     on conflict (minute, account_id, key_id) do update set
       requests = key_minutes.requests + excluded.requests`,
);

export async function addToKeyMinutes(
  on: Runner,
  changes: readonly KeyMinute[],
  minute: number,
): Promise<void> {
  const rows = changes.map(({ account_id, key_id, requests }) => [
    account_id,
    key_id,
    minute,
    requests,
  ]);
  await on.run(...addToMinutes(rows));
}

export const deleteOldMinutes = deleteSteps({
  table: 'key_minutes',
  key: 'minute, account_id, key_id',
  due: 'minute < $1',
  order: 'minute',
});
