// Authenticates API keys: a key is looked up by its digest, through a bounded cache that a
// revocation clears.
import { boundedMap } from '../platform/bounded-map.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { sha256Hex } from '../platform/ids.ts';
import { sameText } from '../platform/signatures.ts';
import { type Database, readChange } from '../store/index.ts';
import { findBudgetNames } from '../billing/index.ts';
import { findActiveKey, putLastUses } from './store/keys.ts';
import type { KeyRecord } from './store/keys.ts';
import type { Caller } from '../requests/index.ts';

export interface Authenticator {
  /** Undefined for a key that is malformed, unknown, revoked or expired. */
  identify: (key: string) => Promise<Caller | undefined>;
  /** Clears the cache when a key changed, here or on another gateway. Called periodically. */
  refresh: () => Promise<void>;
  /** Writes when keys were last used. Called periodically, not with every request. */
  noteUses: () => Promise<void>;
}

const maxCached = 10_000;
/** An API key, or the access token of an agent. */
const keyPattern = /^(?:sk_live|sk_test|mcp)_[A-Za-z0-9_-]{43}$/;

export function makeAuthenticator(database: Database, clock: Clock = systemClock): Authenticator {
  const cached = boundedMap<string, Known>({ limit: maxCached, name: 'keys' });
  const uses = boundedMap<string, number>({ limit: maxCached, name: 'key_uses', mayEvict: false });
  let seenChange = -1;
  let generation = 0;
  return {
    identify: async (key) => {
      if (!keyPattern.test(key)) return undefined;
      const hash = sha256Hex(key);
      let record = cached.get(hash);
      if (!record) {
        const readIn = generation;
        const found = await findActiveKey(database, hash);
        if (!found) return undefined;
        const budgets = await findBudgetNames(database, found.account_id);
        record = { ...found, caller: callerOf(found, budgets) };
        // A record that was read before a change must not be cached after it.
        if (readIn === generation) cached.put(hash, record);
      }
      const now = clock.now();
      if (!sameText(record.hash, hash) || isExpired(record, now)) return undefined;
      uses.put(record.id, now.getTime());
      return record.caller;
    },
    refresh: async () => {
      const change = await readChange(database, 'keys');
      if (change === seenChange) return;
      seenChange = change;
      generation += 1;
      cached.clear();
    },
    noteUses: async () => {
      const noted = [...uses];
      if (noted.length === 0) return;
      await putLastUses(database, noted);
      for (const [id, at] of noted) if (uses.get(id) === at) uses.delete(id);
    },
  };
}

/** A key, and the caller of every request with it. */
interface Known extends KeyRecord {
  caller: Caller;
}

function isExpired({ expires_at }: KeyRecord, now: Date): boolean {
  return expires_at !== null && expires_at <= now.getTime();
}

function callerOf(record: KeyRecord, budgets: readonly string[]): Caller {
  const { account_id, id, capped, policy, own_use_only } = record;
  return {
    account_id,
    key_id: id,
    uncapped: !capped,
    ...(policy ? { policy } : {}),
    ...(own_use_only ? { own_use_only } : {}),
    ...(budgets.length > 0 ? { budgets: new Set(budgets) } : {}),
  };
}
