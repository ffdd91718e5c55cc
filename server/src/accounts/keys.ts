// API keys, as an operator manages them: create, list, change and revoke.
import type { Key, KeyChange, KeyList, KeyRequest, NewKey } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { exactMicroUsd, usd } from '../billing/core/money.ts';
import { audit } from '../audit/audit.ts';
import type { Author } from '../audit/core/change.ts';
import { newApiKey, newId, sha256Hex } from '../platform/ids.ts';
import { findAccount } from './store/accounts.ts';
import { countChange } from '../store/changes.ts';
import { findKey, insertKey, listKeys, revokeKey, updateKey } from './store/keys.ts';
import type { KeyRow, KeySettings } from './store/keys.ts';
import { noAccount } from './accounts.ts';
import { iso, isoOrNull } from '../store/paging.ts';
import { writeEvent } from '../events/outbox.ts';
import type { Runner } from '../store/database.ts';
import type { AccountsContext } from './context.ts';

const maxKeys = 1000;

export async function createKey(
  context: Pick<AccountsContext, 'database' | 'clock'>,
  by: Author,
  accountId: string,
  request: KeyRequest,
): Promise<NewKey> {
  const key = newApiKey();
  const id = newId('key');
  const hash = sha256Hex(key);
  const display = key.slice(0, 12);
  const { name } = request;
  const at = context.clock.now().getTime();
  const made = await context.database.transaction(async (tx) => {
    if (!(await findAccount(tx, accountId))) throw noAccount(accountId);
    await insertKey(tx, { id, account_id: accountId, name, hash, display }, at);
    await updateKey(tx, id, settingsOf(noLimits, request));
    const shown = await showKeyIn(tx, id);
    const change = { action: 'key.created', account_id: accountId, target: id } as const;
    await audit(tx, by, { ...change, after: shown }, at);
    await announceKey(tx, 'key.created', shown, at);
    return shown;
  });
  return { ...made, key };
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
  by: Author,
  id: string,
  change: KeyChange,
): Promise<Key> {
  const at = context.clock.now().getTime();
  return context.database.transaction(async (tx) => {
    const before = await findKey(tx, id, 'for update');
    if (!before || before.revoked_at !== null) throw noKey(id);
    await updateKey(tx, id, settingsOf(before, change));
    await countChange(tx, 'keys');
    const after = await showKeyIn(tx, id);
    const named = { action: 'key.changed', account_id: before.account_id, target: id } as const;
    await audit(tx, by, { ...named, before: showKey(before), after }, at);
    return after;
  });
}

export async function revokeApiKey(
  context: Pick<AccountsContext, 'database' | 'clock'>,
  by: Author,
  id: string,
): Promise<Key> {
  const at = context.clock.now().getTime();
  return context.database.transaction(async (tx) => {
    if (!(await revokeKey(tx, id, at))) throw noKey(id);
    const after = await showKeyIn(tx, id);
    const named = { action: 'key.revoked', account_id: after.account_id, target: id } as const;
    await audit(tx, by, { ...named, before: { ...after, revoked_at: null }, after }, at);
    await announceKey(tx, 'key.revoked', after, at);
    return after;
  });
}

async function showKeyIn(tx: Runner, id: string): Promise<Key> {
  const row = await findKey(tx, id);
  if (!row) throw noKey(id);
  return showKey(row);
}

async function announceKey(
  tx: Runner,
  type: 'key.created' | 'key.revoked',
  key: Key,
  at: number,
): Promise<void> {
  const { account_id, id: subject } = key;
  await writeEvent(tx, { type, account_id, subject, at, data: key });
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
