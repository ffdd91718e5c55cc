// API keys, as an operator manages them: create, list, change and revoke.
import type { Key, KeyChange, KeyList, KeyRequest, NewKey } from '@trivium/contract';
import { GatewayError, noPolicy } from '@trivium/contract';
import { exactMicroUsd } from '../billing/core/index.ts';
import { audit } from '../audit/index.ts';
import type { Author } from '../audit/core/index.ts';
import { newApiKey, newId, sha256Hex } from '../platform/ids.ts';
import { changePolicy } from '../policy/core/index.ts';
import { findAccount } from './store/accounts.ts';
import { countChange, type Runner } from '../store/index.ts';
import { countKeys, findKey, insertKey, listKeys, revokeKey, updateKey } from './store/keys.ts';
import type { KeyRow, KeySettings } from './store/keys.ts';
import { findGrant } from './store/oauth.ts';
import { findMode } from './store-mode.ts';
import { noAccount } from './accounts.ts';
import { writeEvent } from '../events/index.ts';
import { keyFacts, showKey, showKeys } from './show-key.ts';
import type { AccountsContext } from './context.ts';

const maxListedKeys = 1000;
/** For one account, not counting revoked keys and those of agents. */
const maxActiveKeys = 500;
/** Including all keys that were ever created. */
const maxMadeKeys = 10_000;

export async function createKey(
  context: Pick<AccountsContext, 'database' | 'clock'>,
  by: Author,
  accountId: string,
  request: KeyRequest,
): Promise<NewKey> {
  const id = newId('key');
  const { name } = request;
  const at = context.clock.now().getTime();
  const [made, key] = await context.database.transaction(async (tx) => {
    if (!(await findAccount(tx, accountId))) throw noAccount(accountId);
    await checkRoom(tx, accountId);
    const secret = newApiKey((await findMode(tx)) ?? 'live');
    const [hash, display] = [sha256Hex(secret), displayOf(secret)];
    await insertKey(tx, { id, account_id: accountId, name, hash, display }, at);
    await updateKey(tx, id, settingsOf(noLimits, request));
    const row = await readKey(tx, id);
    const change = { action: 'key.created', account_id: accountId, target: id } as const;
    await audit(tx, by, { ...change, after: keyFacts(row) }, at);
    await announceKey(tx, 'key.created', row, at);
    return [row, secret] as const;
  });
  return { ...(await showKey(context, made)), key };
}

/** Throws if the account has reached its limit of keys. */
async function checkRoom(tx: Runner, accountId: string): Promise<void> {
  const { active, made } = await countKeys(tx, accountId);
  if (active >= maxActiveKeys) {
    throw tooManyKeys(`This account has ${maxActiveKeys} keys, which is the limit. Revoke one.`);
  }
  if (made >= maxMadeKeys) {
    throw tooManyKeys(`${maxMadeKeys} keys were created for this account, which is the limit.`);
  }
}

function tooManyKeys(message: string): GatewayError {
  return new GatewayError('invalid_request', message, undefined, { status: 409 });
}

export async function readKeys(
  context: Pick<AccountsContext, 'database' | 'clock'>,
  accountId: string,
): Promise<KeyList> {
  const { reader } = context.database;
  if (!(await findAccount(reader, accountId))) throw noAccount(accountId);
  const rows = await listKeys(reader, accountId, maxListedKeys);
  return { keys: await showKeys({ ...context, database: reader }, rows) };
}

/** Changes only the given fields. Null removes a limit. */
export async function changeKey(
  context: Pick<AccountsContext, 'database' | 'clock'>,
  by: Author,
  id: string,
  change: KeyChange,
): Promise<Key> {
  const at = context.clock.now().getTime();
  const row = await context.database.transaction(async (tx) => {
    const before = await findKey(tx, id, 'for update');
    if (!before || before.revoked_at !== null) throw noKey(id);
    const to = settingsOf(before, change);
    if (isLonger(before, to) && (await findGrant(tx, id))) throw agentKeyError();
    await updateKey(tx, id, to);
    await countChange(tx, 'keys');
    const after = await readKey(tx, id);
    const named = { action: 'key.changed', account_id: before.account_id, target: id } as const;
    await audit(tx, by, { ...named, before: keyFacts(before), after: keyFacts(after) }, at);
    return after;
  });
  return showKey(context, row);
}

export async function revokeApiKey(
  context: Pick<AccountsContext, 'database' | 'clock'>,
  by: Author,
  id: string,
): Promise<Key> {
  const at = context.clock.now().getTime();
  const row = await context.database.transaction(async (tx) => {
    if (!(await revokeKey(tx, id, at))) throw noKey(id);
    const revoked = await readKey(tx, id);
    const after = keyFacts(revoked);
    const named = { action: 'key.revoked', account_id: after.account_id, target: id } as const;
    await audit(tx, by, { ...named, before: { ...after, revoked_at: null }, after }, at);
    await announceKey(tx, 'key.revoked', revoked, at);
    return revoked;
  });
  return showKey(context, row);
}

export async function readKey(tx: Runner, id: string): Promise<KeyRow> {
  const row = await findKey(tx, id);
  if (!row) throw noKey(id);
  return row;
}

/** Agents' keys are announced as well, because they are keys of the account. */
export async function announceKey(
  tx: Runner,
  type: 'key.created' | 'key.revoked',
  row: KeyRow,
  at: number,
): Promise<void> {
  const { account_id, id: subject } = row;
  await writeEvent(tx, { type, account_id, subject, at, data: keyFacts(row) });
}

export const noLimits: KeySettings = {
  name: '',
  expires_at: null,
  daily_cap: null,
  monthly_cap: null,
  policy: noPolicy,
  own_use_only: false,
};

function settingsOf(before: KeySettings, change: KeyChange): KeySettings {
  const { name, expires_at, daily_cap_usd, monthly_cap_usd, own_use_only, ...policy } = change;
  return {
    name: name ?? before.name,
    expires_at: given(expires_at, Date.parse, before.expires_at),
    daily_cap: given(daily_cap_usd, exactMicroUsd, before.daily_cap),
    monthly_cap: given(monthly_cap_usd, exactMicroUsd, before.monthly_cap),
    policy: changePolicy(before.policy, policy),
    own_use_only: own_use_only ?? before.own_use_only,
  };
}

function given<T, U>(value: T | null | undefined, read: (value: T) => U, before: U | null) {
  if (value === undefined) return before;
  return value === null ? null : read(value);
}

/** The first characters, by which people recognise a key. */
export function displayOf(key: string): string {
  return key.slice(0, 12);
}

function isLonger(before: KeySettings, after: KeySettings): boolean {
  return (after.expires_at ?? Infinity) > (before.expires_at ?? Infinity);
}

/** Without an expiry, its token would work forever for anyone who obtained it. */
function agentKeyError(): GatewayError {
  const message =
    'This is the access of an agent: its token ends after an hour, and the agent renews it. ' +
    'Revoke the key to end the access.';
  return new GatewayError('invalid_request', message, undefined, { status: 409 });
}

export function noKey(id: string): GatewayError {
  return new GatewayError('not_found', `There is no active key ${id}.`);
}
