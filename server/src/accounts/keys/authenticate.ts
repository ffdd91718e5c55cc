// Who makes a request: an API key, which is looked up by its digest, through a bounded cache that a
// revocation clears; the operator, with one token from the settings or from the first start; or a
// person who is signed in, for whose account it is charged.
import type { Person, SessionView } from '@trivium/contract';
import { boundedMap } from '../../platform/bounded-map.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { randomToken, sameText, sha256Hex } from '../../platform/ids.ts';
import { type Database, changes } from '../../store/index.ts';
import { readBudgetedTags } from '../../billing/index.ts';
import { findActiveKey, type KeyRecord, putLastUses } from '../store/keys.ts';
import type { Caller } from '../../requests/index.ts';
import { audit, bootstrap } from '../../audit/index.ts';
import { insertFirstToken, isKnownToken } from '../store/operators.ts';
import { findAccount } from '../store/accounts.ts';
import { countPeople } from '../store/people.ts';
import { noAccount } from '../accounts.ts';
import { defaultAccountId } from '../first-start.ts';
import { combinePolicies } from '../../policy/core/index.ts';
import type { AccountsContext } from '../context.ts';

const maxCached = 10_000;
/** An API key, or the access token of an agent. */
const keyPattern = /^(?:sk_live|sk_test|mcp)_[A-Za-z0-9_-]{43}$/;

export type Authenticator = ReturnType<typeof makeAuthenticator>;

export function makeAuthenticator(database: Database, clock: Clock = systemClock) {
  const cached = boundedMap<string, KnownKey>({ limit: maxCached, name: 'keys' });
  const uses = boundedMap<string, number>({ limit: maxCached, name: 'key_uses' });
  let seenChange = -1;
  let generation = 0;
  const read = async (hash: string): Promise<KnownKey | undefined> => {
    const readIn = generation;
    const found = await findActiveKey(database, hash);
    if (!found || !sameText(found.hash, hash)) return undefined;
    const budgets = await readBudgetedTags(database, found.account_id);
    const record = { ...found, caller: callerOf(found, budgets) };
    // A record that was read before a change must not be cached after it.
    if (readIn === generation) cached.put(hash, record);
    return record;
  };
  const use = (record: KnownKey | undefined): Caller | undefined => {
    const now = clock.now().getTime();
    if (!record || (record.expires_at !== null && record.expires_at <= now)) return undefined;
    uses.put(record.id, now);
    return record.caller;
  };
  return {
    /** Undefined for a key that is malformed, unknown, revoked or expired. */
    identify: (key: string): Caller | undefined | Promise<Caller | undefined> => {
      if (!keyPattern.test(key)) return undefined;
      const hash = sha256Hex(key);
      const known = cached.get(hash);
      return known ? use(known) : read(hash).then(use);
    },
    /** Clears the cache when a key changed, here or on another gateway. Called periodically. */
    refresh: async () => {
      const change = await changes.read(database, 'keys');
      if (change === seenChange) return;
      seenChange = change;
      generation += 1;
      cached.clear();
    },
    /** Writes when keys were last used. Called periodically, not with every request. */
    noteUses: async () => {
      const noted = [...uses];
      if (noted.length === 0) return;
      await putLastUses(
        database,
        noted.map(([id, at]) => ({ id, at })),
      );
      for (const [id, at] of noted) if (uses.get(id) === at) uses.delete(id);
    },
  };
}

/** A key, and the caller of every request with it. */
interface KnownKey extends KeyRecord {
  caller: Caller;
}

function callerOf(record: KeyRecord, budgets: ReadonlySet<string>): Caller {
  const { account_id, id, capped, policy, own_use_only } = record;
  return {
    account_id,
    key_id: id,
    uncapped: !capped,
    ...(policy ? { policy } : {}),
    ...(own_use_only ? { own_use_only } : {}),
    ...(budgets.size > 0 ? { budgets } : {}),
  };
}

/**
 * If the settings contain a token, it is the only valid one. Otherwise the store contains the
 * digest of one.
 */
export function makeOperatorCheck(
  database: Database,
  configured: string | undefined,
): (token: string) => Promise<boolean> {
  if (configured === undefined) return (token) => isKnownToken(database, sha256Hex(token));
  const expected = sha256Hex(configured);
  return async (token) => sameText(sha256Hex(token), expected);
}

/** A new token, to be shown once. Undefined if the store already has one. */
export async function createFirstToken(database: Database, now: Date): Promise<string | undefined> {
  const token = `op_${randomToken()}`;
  const row = { hash: sha256Hex(token), display: token.slice(0, 8) };
  const at = now.getTime();
  return database.transaction(async (tx) => {
    if (!(await insertFirstToken(tx, row, at))) return undefined;
    const action = 'operator_token.created';
    const change = { action, account_id: null, target: row.display, after: {} } as const;
    await audit(tx, bootstrap, change, at);
    return token;
  });
}

/** The key id of requests made in the dashboard. */
const dashboardKeyId = 'dashboard';

export async function viewSession(
  context: AccountsContext,
  person: Person | undefined,
  deployment: Pick<SessionView, 'sandbox' | 'single_sign_on'>,
): Promise<SessionView> {
  const needsSetUp = !person && (await countPeople(context.database)) === 0;
  if (!person) return { person: null, account: null, needs_set_up: needsSetUp, ...deployment };
  const row = await findAccount(context.database, person.account_id ?? defaultAccountId);
  const account = row ? { id: row.id, name: row.name } : null;
  return { person, account, needs_set_up: needsSetUp, ...deployment };
}

/** A member pays from its own account, an operator from the account that it names. */
export async function callerFor(
  { database }: AccountsContext,
  person: Person,
  requested: string | undefined,
): Promise<Caller> {
  const accountId = person.account_id ?? requested ?? defaultAccountId;
  const account = await findAccount(database, accountId);
  if (!account) throw noAccount(accountId);
  const policy = combinePolicies(account.policy, undefined);
  return { account_id: accountId, key_id: dashboardKeyId, ...(policy ? { policy } : {}) };
}
