// How many requests each key made in a minute; written only where the operator limits them.
import type { KeyMinute, KeyOfAccount } from '../domain/ledger/pace.ts';
import type { Runner } from '../platform/database.ts';
import { rowStatement } from './rows.ts';

const find_minutes = rowStatement(
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
  const asked = [...distinct.values()].map(({ account_id, key_id }) => [
    account_id,
    key_id,
    minute,
  ]);
  const rows = await on.run(...find_minutes(asked));
  return rows.map(({ account_id, key_id, requests }) => ({
    account_id: String(account_id),
    key_id: String(key_id),
    requests: Number(requests),
  }));
}

const add_to_minutes = rowStatement(
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
  await on.run(...add_to_minutes(rows));
}

export async function deleteOldMinutes(on: Runner, minute_before: number): Promise<void> {
  await on.run('delete from key_minutes where minute < $1', [minute_before]);
}
