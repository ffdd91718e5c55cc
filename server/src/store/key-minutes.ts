// How many requests each key made in a minute; written only where the operator limits them.
import type { KeyMinute, KeyOfAccount } from '../domain/ledger/pace.ts';
import type { Runner } from '../platform/database.ts';
import { placeList, rowList } from './rows.ts';

export async function findKeyMinutes(
  on: Runner,
  keys: readonly KeyOfAccount[],
  minute: number,
): Promise<KeyMinute[]> {
  const accounts = placeList(distinct(keys.map(({ account_id }) => account_id)), 2);
  const ids = distinct(keys.map(({ key_id }) => key_id));
  const list = placeList(ids, 2 + accounts.values.length);
  const rows = await on.run(
    `select account_id, key_id, requests from key_minutes
     where minute = $1 and account_id in (${accounts.text}) and key_id in (${list.text})`,
    [minute, ...accounts.values, ...list.values],
  );
  return rows.map(({ account_id, key_id, requests }) => ({
    account_id: String(account_id),
    key_id: String(key_id),
    requests: Number(requests),
  }));
}

export async function addToKeyMinutes(
  on: Runner,
  changes: readonly KeyMinute[],
  minute: number,
): Promise<void> {
  const list = rowList(
    ['text', 'text', 'bigint', 'bigint'],
    changes.map(({ account_id, key_id, requests }) => [account_id, key_id, minute, requests]),
  );
  await on.run(
    `insert into key_minutes (account_id, key_id, minute, requests)
     select column1, column2, column3, column4 from ${list.text} where column1 is not null
     on conflict (minute, account_id, key_id) do update set
       requests = key_minutes.requests + excluded.requests`,
    list.values,
  );
}

export async function deleteOldMinutes(on: Runner, minute_before: number): Promise<void> {
  await on.run('delete from key_minutes where minute < $1', [minute_before]);
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
