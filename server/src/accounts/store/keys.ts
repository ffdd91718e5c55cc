// API keys. Only their digest is stored, and the first characters for display. Rotation replaces the
// secret of a key, and the previous one may work for a while longer.
import { noPolicy, type Policy, type ProviderId } from '@trivium/contract';
import { combinePolicies } from '../../policy/core/index.ts';
import { policy } from './accounts.ts';
import {
  changes,
  flag,
  inParts,
  is,
  json,
  orNull,
  query,
  reader,
  type Row,
  type Runner,
  table,
  text,
  whole,
} from '../../store/index.ts';

/** A newer version may know more providers. */
const isProviders = (value: unknown): value is ProviderId[] => is.listOf(is.text)(value);

/** What an operator may set on a key. Null means no limit. */
export interface KeySettings {
  name: string;
  expires_at: number | null;
  /** In micro-USD. */
  daily_cap: number | null;
  monthly_cap: number | null;
  policy: Policy;
  /** True if the key can read only its own usage and jobs. */
  own_use_only: boolean;
}

const keys = table(
  'keys',
  {
    id: text,
    account_id: text,
    name: text,
    hash: text,
    display: text,
    created_at: whole,
    revoked_at: orNull(whole),
    last_used_at: orNull(whole),
    /** The secret before the last rotation, and until when it is valid. */
    previous_hash: orNull(text),
    previous_until: orNull(whole),
    expires_at: orNull(whole),
    daily_cap: orNull(whole),
    monthly_cap: orNull(whole),
    own_use_only: flag,
    policy,
    /** A part of the policy, which older versions read. */
    providers: orNull(json(isProviders)),
  },
  'key',
);
const shown = keys.omit('hash', 'previous_hash');

export type KeyRow = ReturnType<typeof readKeyRow>;

/** Which keys of an account are listed: all of them, or the active ones that have a cap. */
export type KeyChoice = 'all' | 'capped';

const capped = 'and revoked_at is null and (daily_cap is not null or monthly_cap is not null)';

/** The active ones first, so that a limit leaves out none of them. */
export async function listKeys(
  on: Runner,
  accountId: string,
  limit: number,
  choice: KeyChoice,
): Promise<KeyRow[]> {
  const rest = `where account_id = $1 ${choice === 'capped' ? capped : ''}
    order by case when revoked_at is null then 0 else 1 end, created_at desc, id desc limit $2`;
  return (await shown.list(on, rest, [accountId, limit])).map(readKeyRow);
}

const readCounts = reader({ active: whole, made: whole });

/** How many keys of an account are active, without those of agents, and how many it ever had. */
export async function countKeys(on: Runner, accountId: string) {
  const [row = {}] = await on.run(
    `select count(*) as made,
       sum(case when revoked_at is null and oauth_grants.id is null then 1 else 0 end) as active
     from keys left join oauth_grants on oauth_grants.id = keys.id where account_id = $1`,
    [accountId],
  );
  return readCounts(row);
}

export async function findKey(on: Runner, id: string, lock?: string): Promise<KeyRow | undefined> {
  const locked = lock === undefined ? '' : on.lock(lock);
  const row = await shown.find(on, `where id = $1${locked}`, [id]);
  return row && readKeyRow(row);
}

const updateKeys = keys
  .pick(
    'id',
    'name',
    'expires_at',
    'daily_cap',
    'monthly_cap',
    'providers',
    'policy',
    'own_use_only',
  )
  .update('id');

export function updateKey(on: Runner, id: string, to: KeySettings): Promise<void> {
  const { providers } = to.policy;
  // Providers are stored in a separate column, which older versions read.
  return updateKeys(on, [{ ...to, id, providers, policy: { ...to.policy, providers: null } }]);
}

/** The caller counts the change. */
export const putAccessTokens = keys.pick('id', 'hash', 'display', 'expires_at').update('id');

const created = keys.pick('id', 'account_id', 'name', 'hash', 'display', 'created_at');
const insertNew = created.insertNew('hash');

type NewKey = Omit<ReturnType<typeof created.read>, 'created_at'>;

/** False if a key with this digest already exists. */
export function insertKey(on: Runner, key: NewKey, at: number): Promise<boolean> {
  return insertNew(on, { ...key, created_at: at });
}

/** What a start did to the keys that the settings install. */
export interface InstalledKey {
  /** Undefined if the key was already installed. */
  installed: string | undefined;
  revoked: string[];
}

/**
 * Makes this the only key that the settings install, and revokes the previous one. A key that an
 * operator revoked stays revoked.
 */
export async function installBootstrapKey(
  on: Runner,
  key: NewKey,
  at: number,
): Promise<InstalledKey> {
  await insertKey(on, key, at);
  const [installed] = await query.texts(
    on,
    `update keys set bootstrap = 'installed', revoked_at = null
     where hash = $1 and (bootstrap is null or bootstrap <> 'installed')
       and (revoked_at is null or bootstrap = 'replaced') returning id`,
    [key.hash],
  );
  const revoked = await query.texts(
    on,
    `update keys set bootstrap = 'replaced', revoked_at = $1
     where bootstrap = 'installed' and hash <> $2 and revoked_at is null returning id`,
    [at, key.hash],
  );
  if (revoked.length > 0) await changes.count(on, 'keys');
  return { installed, revoked };
}

const active = keys.omit('name', 'display', 'created_at', 'revoked_at', 'last_used_at');
const readAccountPolicy = reader({ account_policy: policy }, 'an account');

export function findActiveKey(on: Runner, hash: string): Promise<KeyRecord | undefined> {
  return query.row(
    on,
    (row) => readRecord(row, hash),
    `select ${active.columns}, accounts.policy as account_policy
     from keys join accounts on accounts.id = keys.account_id
     where (hash = $1 or previous_hash = $1) and revoked_at is null`,
    [hash],
  );
}

export type KeyRecord = ReturnType<typeof readRecord>;

/** A replaced secret has its own expiry, and also expires with its key. */
function readRecord(row: Row, hash: string) {
  const key = active.read(row);
  const isPrevious = key.hash !== hash;
  const ends = [key.expires_at, isPrevious ? (key.previous_until ?? 0) : null];
  const times = ends.filter((end) => end !== null);
  return {
    id: key.id,
    account_id: key.account_id,
    hash,
    expires_at: times.length === 0 ? null : Math.min(...times),
    capped: key.daily_cap !== null || key.monthly_cap !== null,
    /** What its account and the key allow. Undefined if they set no limit. */
    policy: combinePolicies(readAccountPolicy(row).account_policy, {
      ...(key.policy ?? noPolicy),
      providers: key.providers,
    }),
    own_use_only: key.own_use_only,
  };
}

function readKeyRow({ providers, ...key }: ReturnType<typeof shown.read>) {
  return { ...key, policy: { ...(key.policy ?? noPolicy), providers } };
}

/** Whether a statement changed a key. The change counter makes every gateway clear its cache. */
async function changesKey(on: Runner, ...statement: Parameters<Runner['run']>): Promise<boolean> {
  const isChanged = await query.exists(on, ...statement);
  if (isChanged) await changes.count(on, 'keys');
  return isChanged;
}

/** False if there is no such active key. */
export function revokeKey(on: Runner, id: string, at: number): Promise<boolean> {
  const revoke =
    'update keys set revoked_at = $1 where id = $2 and revoked_at is null returning id';
  return changesKey(on, revoke, [at, id]);
}

/** The latest time wins, even between gateways. */
export const putLastUses = inParts(
  { id: text, at: whole },
  `update keys set last_used_at = v.at from v
   where keys.id = v.id and coalesce(keys.last_used_at, 0) < v.at`,
);

/** 'installed' for the key from the settings, which only the settings can replace. */
export async function findBootstrapMark(on: Runner, id: string): Promise<string | null> {
  const select = 'select bootstrap from keys where id = $1 and bootstrap is not null';
  return (await query.texts(on, select, [id]))[0] ?? null;
}

/** False if there is no such active key. */
export function replaceSecret(
  on: Runner,
  to: { id: string; hash: string; display: string; previous_until: number },
): Promise<boolean> {
  return changesKey(
    on,
    `update keys set previous_hash = hash, previous_until = $1, hash = $2, display = $3
     where id = $4 and revoked_at is null returning id`,
    [to.previous_until, to.hash, to.display, to.id],
  );
}

/** False if no earlier secret is valid at this time. */
export function endPreviousSecret(on: Runner, id: string, at: number): Promise<boolean> {
  return changesKey(
    on,
    `update keys set previous_hash = null, previous_until = null
     where id = $1 and revoked_at is null and previous_until > $2 returning id`,
    [id, at],
  );
}
