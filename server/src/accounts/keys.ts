// API keys, as an operator manages them: create, list, change and revoke.
import type { Key, KeyChange, KeyList, KeyRequest, NewKey } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { exactMicroUsd, usd } from '../billing/core/money.ts';
import { newApiKey, newId, sha256Hex } from '../platform/ids.ts';
import { findAccount } from './store/accounts.ts';
import { countChange, findKey, insertKey, listKeys, revokeKey, updateKey } from './store/keys.ts';
import type { KeyRow, KeySettings } from './store/keys.ts';
import { noAccount } from './accounts.ts';
import { iso, isoOrNull } from '../store/paging.ts';
import { writeEvent } from '../events/outbox.ts';
import type { Runner } from '../store/database.ts';
import type { AccountsContext } from './context.ts';

const maxKeys = 1000;

export async function createKey(
  context: Pick<AccountsContext, 'database' | 'clock'>,
  accountId: string,
  request: KeyRequest,
): Promise<NewKey> {
  const key = newApiKey();
  const id = newId('key');
  const hash = sha256Hex(key);
  const display = key.slice(0, 12);
  const { name } = request;
  const row = await context.database.transaction(async (tx) => {
    if (!(await findAccount(tx, accountId))) throw noAccount(accountId);
    await insertKey(
      tx,
      { id, account_id: accountId, name, hash, display },
      context.clock.now().getTime(),
    );
    await updateKey(tx, id, settingsOf(noLimits, request));
    return announceKey(tx, 'key.created', id, context.clock.now().getTime());
  });
  if (!row) throw noKey(id);
  return { ...showKey(row), key };
}

export async function readKeys(
  context: Pick<AccountsContext, 'database' | 'clock'>,
  accountId: string,
): Promise<KeyList> {
  if (!(await findAccount(context.database, accountId))) throw noAccount(accountId);
  return { keys: (await listKeys(context.database, accountId, maxKeys)).map(showKey) };
}

/** Changes only the given fields; null removes a limit. */
export async function changeKey(
  context: Pick<AccountsContext, 'database' | 'clock'>,
  id: string,
  change: KeyChange,
): Promise<Key> {
  const row = await context.database.transaction(async (tx) => {
    const before = await findKey(tx, id);
    if (!before || before.revoked_at !== null) throw noKey(id);
    await updateKey(tx, id, settingsOf(before, change));
    await countChange(tx, 'keys');
    return findKey(tx, id);
  });
  if (!row) throw noKey(id);
  return showKey(row);
}

export async function revokeApiKey(
  context: Pick<AccountsContext, 'database' | 'clock'>,
  id: string,
): Promise<Key> {
  const at = context.clock.now().getTime();
  const row = await context.database.transaction(async (tx) => {
    if (!(await revokeKey(tx, id, at))) throw noKey(id);
    return announceKey(tx, 'key.revoked', id, at);
  });
  if (!row) throw noKey(id);
  return showKey(row);
}

async function announceKey(
  tx: Runner,
  type: 'key.created' | 'key.revoked',
  id: string,
  at: number,
): Promise<KeyRow | undefined> {
  const row = await findKey(tx, id);
  if (!row) return undefined;
  await writeEvent(tx, {
    ...{ type, account_id: row.account_id, subject: id, at },
    data: showKey(row),
  });
  return row;
}

const noLimits: KeySettings = {
  name: '',
  expires_at: null,
  daily_cap: null,
  monthly_cap: null,
  providers: null,
};

function settingsOf(before: KeySettings, change: KeyChange): KeySettings {
  const { name, expires_at, daily_cap_usd, monthly_cap_usd, providers } = change;
  return {
    name: name ?? before.name,
    expires_at: given(expires_at, Date.parse, before.expires_at),
    daily_cap: given(daily_cap_usd, exactMicroUsd, before.daily_cap),
    monthly_cap: given(monthly_cap_usd, exactMicroUsd, before.monthly_cap),
    providers: given(providers, (list) => list, before.providers),
  };
}

function given<T, U>(value: T | null | undefined, read: (value: T) => U, before: U | null) {
  if (value === undefined) return before;
  return value === null ? null : read(value);
}

function showKey({ daily_cap, monthly_cap, ...row }: KeyRow): Key {
  return {
    ...row,
    providers: row.providers && [...row.providers],
    created_at: iso(row.created_at),
    revoked_at: isoOrNull(row.revoked_at),
    last_used_at: isoOrNull(row.last_used_at),
    expires_at: isoOrNull(row.expires_at),
    daily_cap_usd: daily_cap === null ? null : usd(daily_cap),
    monthly_cap_usd: monthly_cap === null ? null : usd(monthly_cap),
  };
}

function noKey(id: string): GatewayError {
  return new GatewayError('not_found', `There is no active key ${id}.`);
}
