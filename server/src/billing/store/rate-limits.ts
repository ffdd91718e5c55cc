// Requests of each key per minute; written only when the operator sets a rate limit.
import type { KeyMinute, KeyOfAccount } from '../core/rate-limit.ts';
import type { Runner } from '../../store/database.ts';
import { rowStatement } from '../../store/rows.ts';

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
  const distinct = new Map(keys.map((key) => [`${key.account_id} ${key.key_id}`, key]));
  const wanted = [...distinct.values()].map(({ account_id, key_id }) => [
    account_id,
    key_id,
    minute,
  ]);
  const rows = await on.run(...findMinutes(wanted));
  return rows.map(({ account_id, key_id, requests }) => ({
    account_id: String(account_id),
    key_id: String(key_id),
    requests: Number(requests),
  }));
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

export async function deleteOldMinutes(on: Runner, minuteBefore: number): Promise<void> {
  await on.run('delete from key_minutes where minute < $1', [minuteBefore]);
}
