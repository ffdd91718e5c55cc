// The cache of answers: how one request uses it, and what operators can do with it.
import type { CacheCleared, CacheStatus } from '@trivium/contract';
import { audit, type Author } from '../audit/index.ts';
import { zeroAmount } from '../billing/core/index.ts';
import type { CheckedCost } from '../billing/index.ts';
import { sha256Hex } from '../platform/ids.ts';
import { canonicalJson } from '../requests/core/index.ts';
import type { CurrentRequest } from '../requests/index.ts';
import { changes } from '../store/index.ts';
import {
  type CacheContext,
  type CachedValue,
  type CachePart,
  type CacheState,
  fillEntries,
  type FetchEntries,
  findFresh,
  makeCacheState,
} from './fetch-once.ts';
import { deleteEntries } from './store/entries.ts';

/** Under this topic, gateways count how often the cache was emptied. */
const topic = 'cache';

export type Cache = ReturnType<typeof makeCache>;

export function makeCache(context: CacheContext) {
  const { database, clock, settings } = context;
  const state = makeCacheState(context);
  let seenClears = 0;
  return {
    /** Undefined if the request does not use the cache. */
    useFor: (
      current: CurrentRequest,
      /** Throws if a stored text is not an entry of this version. */
      read: (text: string) => unknown,
    ) => cacheUse(context, state, current, read),
    status: async (): Promise<CacheStatus> => ({
      ...(await state.trim.size()),
      max_entries: settings.cache_max_entries,
      max_bytes: settings.cache_max_mb * 1024 * 1024,
    }),
    /** Deletes the entries of one account, or all, and records who did it. */
    clear: async (by: Author, accountId: string | undefined): Promise<CacheCleared> => {
      const deleted = await database.transaction(async (tx) => {
        await changes.count(tx, topic);
        const entries = await deleteEntries(tx, accountId);
        const change = { action: 'cache.cleared', target: 'cache' } as const;
        const scoped = { ...change, account_id: accountId ?? null, after: { entries } };
        await audit(tx, by, scoped, clock.now().getTime());
        return entries;
      });
      state.recent.clear();
      return { deleted };
    },
    /** Clears memory if another gateway has emptied the cache. */
    refresh: async () => {
      const clears = await changes.read(database, topic);
      if (clears !== seenClears) state.recent.clear();
      seenClears = clears;
    },
  };
}

/** How long to wait for what another caller derives. */
const makingMs = 15_000;

export type CacheUse = NonNullable<ReturnType<typeof cacheUse>>;

/** What one request accepts from the cache, what it found, and what it reports. */
function cacheUse(
  { metrics, settings }: CacheContext,
  state: CacheState,
  { cache_seconds: seconds, is_estimate: isEstimate, caller, tool, room }: CurrentRequest,
  read: (text: string) => unknown,
) {
  if (!seconds || isEstimate || tool === 'transcription') return undefined;
  const { account_id, policy } = caller;
  // The domains that the policy allows, as text. Different rules have different entries.
  const rules = policy?.pageRules === undefined ? [] : [policy.pageRules];
  const wanted = { account_id, tool, maxAgeMs: seconds * 1000, room };
  const known = new Map<string, CachedValue>();
  const parts = new Map<string, CachePart>();
  const idOf = (...named: readonly unknown[]) =>
    sha256Hex(canonicalJson([account_id, tool, ...named]));
  return {
    idOf: (provider: string, request: object) => idOf(provider, request, ...rules),
    /** Looks for all entries of a request. Found entries are used without another lookup. */
    look: async (ids: readonly string[]) => {
      for (const [id, value] of await findFresh(state, { ...wanted, ids, read })) {
        known.set(id, value);
      }
    },
    knows: (id: string) => known.has(id),
    /** The value that `remember` stored for an entry in memory. */
    recall: (id: string) => known.get(id)?.entry?.memo,
    remember: (id: string, memo: unknown) => {
      const entry = known.get(id)?.entry;
      if (entry) entry.memo = memo;
    },
    /**
     * Returns what `look` has found, and fetches the rest. `waitMs`: how long to wait for an entry that
     * another caller is fetching.
     */
    fill: async (ids: readonly string[], fetch: FetchEntries, waitMs: number) => {
      const missing = ids.filter((id) => !known.has(id));
      for (const id of missing) parts.set(id, { from: 'miss', ageMs: 0 });
      if (missing.length > 0) {
        const filled = await fillEntries(state, { ...wanted, ids: missing, read }, waitMs, fetch);
        for (const [id, value] of filled) known.set(id, value);
      }
      const values = new Map<string, CachedValue>();
      for (const id of ids) {
        const value = known.get(id);
        if (!value) continue;
        values.set(id, value);
        parts.set(id, value);
      }
      return values;
    },
    /**
     * Returns what was derived from an answer under this key, or makes and stores it. `readKept` throws
     * if a stored text is not one of this version.
     */
    keep: async (
      key: string,
      readKept: (text: string) => unknown,
      make: () => Promise<string | undefined>,
    ) => {
      const id = idOf(key);
      const kept = { ...wanted, ids: [id], read: readKept };
      const values = await fillEntries(state, kept, makingMs, async () => {
        const text = await make();
        return new Map(text === undefined ? [] : [[id, text]]);
      });
      return values.get(id)?.text;
    },
    /** What a part of the answer costs this caller. A fetched part has its own price. */
    costOf: ({ from }: CachePart, fetched: CheckedCost): CheckedCost => {
      const isPaid = from === 'miss' || (from === 'joined' && settings.cache_joined === 'each');
      return isPaid ? fetched : { amount: zeroAmount };
    },
    /** Call it once, when the answer is ready. */
    report: () => {
      const all = [...parts.values()];
      for (const { from } of all) metrics?.cached(tool, from);
      return {
        headers: { 'x-trivium-cache': reportParts(all) },
        fromCache: all.every(({ from }) => from !== 'miss'),
      };
    },
  };
}

/** `hit` and `joined` are reported only if no part of the answer was fetched for this request. */
function reportParts(parts: readonly CachePart[]): string {
  const hits = parts.filter(({ from }) => from === 'hit');
  const misses = parts.filter(({ from }) => from === 'miss').length;
  const ageS = Math.floor(hits.reduce((oldest, { ageMs }) => Math.max(oldest, ageMs), 0) / 1000);
  if (misses === parts.length) return 'miss';
  if (hits.length === parts.length) return `hit; age=${ageS}`;
  if (hits.length === 0 && misses === 0) return 'joined';
  const joined = parts.length - hits.length - misses;
  const age = hits.length > 0 ? `; age=${ageS}` : '';
  return `partial; hits=${hits.length}; joined=${joined}; misses=${misses}${age}`;
}
