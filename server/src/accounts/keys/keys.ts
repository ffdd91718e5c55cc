// API keys, as an operator manages them: create, list, change, revoke and rotate. Rotation gives a
// key a new secret, and the previous one works until the overlap ends. Everything else about the
// key stays the same: its id, its limits, and what it has spent.
import { hourMs } from '@trivium/contract/durations';
import type { Key, KeyChange, KeyList, KeyRequest, KeyRotation, NewKey } from '@trivium/contract';
import { conflict, GatewayError, noPolicy } from '@trivium/contract';
import { exactMicroUsd, usd } from '../../billing/core/index.ts';
import { readKeySpending } from '../../billing/index.ts';
import { audit, type Author } from '../../audit/index.ts';
import { newApiKey, newId, sha256Hex } from '../../platform/ids.ts';
import { changePolicy } from '../../policy/core/index.ts';
import { changes, iso, type Runner } from '../../store/index.ts';
import {
  countKeys,
  endPreviousSecret,
  findBootstrapMark,
  findKey,
  insertKey,
  type KeyChoice,
  type KeyRow,
  type KeySettings,
  listKeys,
  replaceSecret,
  revokeKey,
  updateKey,
} from '../store/keys.ts';
import { writeEvent } from '../../events/index.ts';
import { findAccount } from '../store/accounts.ts';
import { findGrant } from '../store/oauth.ts';
import { findMode } from '../first-start.ts';
import { noAccount } from '../accounts.ts';
import type { AccountsContext } from '../context.ts';

/** For one account, not counting revoked keys and those of agents. */
const maxActiveKeys = 500;
/** Including all keys that were ever created. */
const maxMadeKeys = 10_000;

export async function createKey(
  context: AccountsContext,
  by: Author,
  accountId: string,
  request: KeyRequest,
): Promise<NewKey> {
  const id = newId('key');
  const at = context.clock.now().getTime();
  const [row, key] = await context.database.transaction(async (tx) => {
    if (!(await findAccount(tx, accountId))) throw noAccount(accountId);
    await checkKeyLimits(tx, accountId);
    const secret = await newSecret(tx);
    const { hash, display } = secret;
    await insertKey(tx, { id, account_id: accountId, name: request.name, hash, display }, at);
    await updateKey(tx, id, settingsOf(noLimits, request));
    const made = await readKey(tx, id);
    const change = { action: 'key.created', account_id: accountId, target: id } as const;
    await audit(tx, by, { ...change, after: keyFacts(made) }, at);
    await announceKey(tx, 'key.created', made, at);
    return [made, secret.key] as const;
  });
  return { ...(await showKey(context, row)), key };
}

/** Throws if the account has reached its limit of keys. */
async function checkKeyLimits(tx: Runner, accountId: string): Promise<void> {
  const { active, made } = await countKeys(tx, accountId);
  if (active >= maxActiveKeys) {
    throw conflict(`This account has ${maxActiveKeys} keys, which is the limit. Revoke one.`);
  }
  if (made >= maxMadeKeys) {
    throw conflict(`${maxMadeKeys} keys were created for this account, which is the limit.`);
  }
}

export async function readKeys(
  context: AccountsContext,
  accountId: string,
  choice: KeyChoice = 'all',
): Promise<KeyList> {
  const { reader } = context.database;
  if (!(await findAccount(reader, accountId))) throw noAccount(accountId);
  const rows = await listKeys(reader, accountId, maxMadeKeys, choice);
  return { keys: await showKeys(reader, rows, context.clock.now().getTime()) };
}

/** The account of a key. Undefined for an unknown key. */
export async function accountOfKey(
  { database }: AccountsContext,
  id: string,
): Promise<string | undefined> {
  return (await findKey(database, id))?.account_id;
}

/** Changes only the given fields. Null removes a limit. */
export function changeKey(
  context: AccountsContext,
  by: Author,
  id: string,
  change: KeyChange,
): Promise<Key> {
  return changeRow(context, by, { id, action: 'key.changed' }, async (tx) => {
    const before = await findKey(tx, id, 'for update');
    if (!before || before.revoked_at !== null) throw noKey(id);
    const to = settingsOf(before, change);
    const isLonger = (to.expires_at ?? Infinity) > (before.expires_at ?? Infinity);
    // Without an expiry, its token would work forever for anyone who obtained it.
    if (isLonger && (await findGrant(tx, 'id', id))) {
      throw conflict(
        'This is the access of an agent: its token ends after an hour, and the agent renews it. ' +
          'Revoke the key to end the access.',
      );
    }
    await updateKey(tx, id, to);
    await changes.count(tx, 'keys');
    return before;
  });
}

export function revokeApiKey(context: AccountsContext, by: Author, id: string): Promise<Key> {
  return changeRow(context, by, { id, action: 'key.revoked' }, async (tx, at) => {
    const before = await findKey(tx, id, 'for update');
    if (!before || !(await revokeKey(tx, id, at))) throw noKey(id);
    return before;
  });
}

/** Only one earlier secret works: a second rotation ends the previous one at once. */
export async function rotateKey(
  context: AccountsContext,
  by: Author,
  id: string,
  { overlap_hours }: KeyRotation,
): Promise<NewKey> {
  let key = '';
  const shown = await changeRow(context, by, { id, action: 'key.rotated' }, async (tx, at) => {
    if ((await findBootstrapMark(tx, id)) === 'installed') {
      throw conflict(
        'This key is set by TRIVIUM_BOOTSTRAP_KEY. Change the setting, or create another key.',
      );
    }
    // Otherwise it would become an API key that can do more than use the tools, for anyone who
    // obtained it.
    if (await findGrant(tx, 'id', id)) {
      throw conflict(
        'This is the access of an agent, which renews its tokens itself. Revoke it instead.',
      );
    }
    const before = await findKey(tx, id, 'for update');
    const { key: secret, ...stored } = await newSecret(tx);
    const previousUntil = Math.round(at + overlap_hours * hourMs);
    const to = { id, ...stored, previous_until: previousUntil };
    if (!before || !(await replaceSecret(tx, to))) throw noKey(id);
    key = secret;
    return before;
  });
  return { ...shown, key };
}

/** Ends the overlap at once. */
export function endOverlap(context: AccountsContext, by: Author, id: string): Promise<Key> {
  return changeRow(context, by, { id, action: 'key.overlap_ended' }, async (tx, at) => {
    const before = await findKey(tx, id, 'for update');
    if (before && (await endPreviousSecret(tx, id, at))) return before;
    throw new GatewayError('not_found', `The key ${id} has no old secret that still works.`);
  });
}

type ChangeOfKey = 'key.changed' | 'key.revoked' | 'key.rotated' | 'key.overlap_ended';

/** Changes a key, and records the change. `work` locks the key and returns it as it was. */
async function changeRow(
  context: AccountsContext,
  by: Author,
  { id, action }: { id: string; action: ChangeOfKey },
  work: (tx: Runner, at: number) => Promise<KeyRow>,
): Promise<Key> {
  const at = context.clock.now().getTime();
  const row = await context.database.transaction(async (tx) => {
    const before = await work(tx, at);
    const after = await readKey(tx, id);
    const change = { action, account_id: after.account_id, target: id };
    await audit(tx, by, { ...change, before: keyFacts(before), after: keyFacts(after) }, at);
    if (action === 'key.revoked') await announceKey(tx, action, after, at);
    return after;
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

async function newSecret(tx: Runner): Promise<{ key: string; hash: string; display: string }> {
  const key = newApiKey((await findMode(tx)) ?? 'live');
  return { key, hash: sha256Hex(key), display: displayOf(key) };
}

/** The first characters, by which people recognise a key or a token. */
export function displayOf(key: string): string {
  return key.slice(0, 12);
}

function noKey(id: string): GatewayError {
  return new GatewayError('not_found', `There is no active key ${id}.`);
}

async function showKey({ database, clock }: AccountsContext, row: KeyRow): Promise<Key> {
  const [key] = await showKeys(database, [row], clock.now().getTime());
  if (!key) throw new Error('one key is shown as one');
  return key;
}

/** With how much of its caps each key has spent. */
async function showKeys(on: Runner, rows: readonly KeyRow[], now: number): Promise<Key[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const spending = await readKeySpending(on, ids, now);
  return rows.map((row) => {
    const { today = 0, this_month = 0 } = spending.get(row.id) ?? {};
    const { previous_until, ...facts } = keyFacts(row);
    const isOver = row.previous_until !== null && row.previous_until <= now;
    return {
      ...facts,
      previous_until: isOver ? null : previous_until,
      used_today_usd: usd(today),
      used_this_month_usd: usd(this_month),
    };
  });
}

/** The settings of a key, without what it has spent. */
function keyFacts({ daily_cap, monthly_cap, policy, ...row }: KeyRow) {
  return {
    ...row,
    ...policy,
    created_at: iso(row.created_at),
    revoked_at: iso(row.revoked_at),
    last_used_at: iso(row.last_used_at),
    previous_until: iso(row.previous_until),
    expires_at: iso(row.expires_at),
    daily_cap_usd: daily_cap === null ? null : usd(daily_cap),
    monthly_cap_usd: monthly_cap === null ? null : usd(monthly_cap),
  } satisfies Omit<Key, 'used_today_usd' | 'used_this_month_usd'>;
}
