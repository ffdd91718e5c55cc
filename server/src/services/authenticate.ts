// Who is asking: an API key looked up by its digest, through a bounded memory that a revocation
// empties.
import { system_clock } from '../platform/clock.ts';
import type { Clock } from '../platform/clock.ts';
import { sameDigest, sha256Hex } from '../platform/ids.ts';
import type { Database } from '../platform/database.ts';
import { findActiveKey, putLastUses, readChange } from '../store/keys.ts';
import type { KeyRecord } from '../store/keys.ts';
import type { Caller } from './house.ts';

export interface Authenticator {
  /** Undefined for a key that is malformed, unknown, revoked or expired. */
  identify: (key: string) => Promise<Caller | undefined>;
  /** Forgets everything when a key changed, here or on another gateway. Called every so often. */
  refresh: () => Promise<void>;
  /** Writes down when keys were last used: now and then, not with every request. */
  noteUses: () => Promise<void>;
}

const most_remembered = 10_000;
const key_pattern = /^sk_live_[A-Za-z0-9_-]{43}$/;

export function makeAuthenticator(database: Database, clock: Clock = system_clock): Authenticator {
  const remembered = new Map<string, KeyRecord>();
  const uses = new Map<string, number>();
  let seen_change = -1;
  let generation = 0;
  return {
    identify: async (key) => {
      if (!key_pattern.test(key)) return undefined;
      const hash = sha256Hex(key);
      let record = remembered.get(hash);
      if (!record) {
        const asked_in = generation;
        record = await findActiveKey(database, hash);
        if (!record) return undefined;
        // What was read before a change must not be remembered after it.
        if (asked_in === generation) remember(remembered, hash, record);
      }
      const now = clock.now();
      if (!sameDigest(record.hash, hash) || isExpired(record, now)) return undefined;
      if (uses.size < most_remembered) uses.set(record.id, now.getTime());
      return callerOf(record);
    },
    refresh: async () => {
      const change = await readChange(database, 'keys');
      if (change === seen_change) return;
      seen_change = change;
      generation += 1;
      remembered.clear();
    },
    noteUses: async () => {
      const noted = [...uses];
      if (noted.length === 0) return;
      await putLastUses(database, noted);
      for (const [id, at] of noted) if (uses.get(id) === at) uses.delete(id);
    },
  };
}

function remember(remembered: Map<string, KeyRecord>, hash: string, record: KeyRecord): void {
  if (remembered.size >= most_remembered) remembered.clear();
  remembered.set(hash, record);
}

function isExpired({ expires_at }: KeyRecord, now: Date): boolean {
  return expires_at !== null && expires_at <= now.getTime();
}

function callerOf({ account_id, id, capped, providers }: KeyRecord): Caller {
  return { account_id, key_id: id, uncapped: !capped, ...(providers ? { providers } : {}) };
}
