// How one request uses the cache: what it accepts, what it found, and what it reports.
import { zeroAmount } from '../billing/core/index.ts';
import type { CheckedCost } from '../billing/index.ts';
import type { CurrentRequest, ServiceMetrics } from '../requests/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Cache, CachedValue } from './cache.ts';
import { cacheHeader, reportParts } from './core/report.ts';
import type { CachePart } from './core/report.ts';
import { canonicalJson } from '../requests/core/index.ts';
import { sha256Hex } from '../platform/ids.ts';

export interface CacheContext {
  /** Absent if no answers are cached. */
  cache?: Cache;
  metrics?: Pick<ServiceMetrics, 'cached'>;
  settings: Pick<Settings, 'cache_joined'>;
}

export interface CacheUse {
  idOf: (provider: string, request: object) => string;
  /** Looks for all entries of a request. Found entries are used without another lookup. */
  look: (ids: readonly string[]) => Promise<void>;
  knows: (id: string) => boolean;
  /** The value that `remember` stored for an entry in memory. */
  recall: (id: string) => unknown;
  remember: (id: string, memo: unknown) => void;
  /** Like `Cache.fill`, using what `look` has found. */
  fill: (
    ids: readonly string[],
    fetch: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>,
    /** How long to wait for an entry that another caller is fetching. */
    waitMs: number,
  ) => Promise<ReadonlyMap<string, CachedValue>>;
  /** Returns what was derived from an answer under this key, or makes and stores it. */
  keep: (
    key: string,
    /** Throws if a stored text is not one of this version. */
    read: (text: string) => unknown,
    make: () => Promise<string | undefined>,
  ) => Promise<string | undefined>;
  /** What a part of the answer costs this caller. A fetched part has its own price. */
  costOf: (part: CachePart, fetched: CheckedCost) => CheckedCost;
  /** Call it once, when the answer is ready. */
  report: () => { headers: Record<string, string>; fromCache: boolean };
}

/** Undefined if the request does not use the cache. */
export function cacheUseOf(
  { cache, metrics, settings }: CacheContext,
  currentRequest: CurrentRequest,
  /** Throws if a stored text is not an entry of this version. */
  read: (text: string) => unknown,
): CacheUse | undefined {
  const { cache_seconds: seconds, caller, tool, room } = currentRequest;
  if (!cache || !seconds || tool === 'transcription') return undefined;
  const { account_id } = caller;
  const pages = caller.policy?.pageRules;
  const maxAgeMs = seconds * 1000;
  const known = new Map<string, CachedValue>();
  const parts = new Map<string, CachePart>();
  return {
    idOf: (provider, request) => entryId({ account_id, tool, provider, request, pages }),
    look: async (ids) => {
      for (const [id, value] of await cache.find({ tool, ids, maxAgeMs, read, room }))
        known.set(id, value);
    },
    knows: (id) => known.has(id),
    recall: (id) => known.get(id)?.entry?.memo,
    remember: (id, memo) => {
      const entry = known.get(id)?.entry;
      if (entry) entry.memo = memo;
    },
    fill: async (ids, fetch, waitMs) => {
      const missing = ids.filter((id) => !known.has(id));
      for (const id of missing) parts.set(id, { from: 'miss', ageMs: 0 });
      if (missing.length > 0) {
        const wanted = { account_id, tool, ids: missing, maxAgeMs, waitMs, read, room };
        const filled = await cache.fill(wanted, fetch);
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
    keep: async (key, readKept, make) => {
      const id = sha256Hex(canonicalJson([account_id, tool, key]));
      const wanted = { account_id, tool, ids: [id], maxAgeMs, waitMs: makingMs, room };
      const values = await cache.fill({ ...wanted, read: readKept }, async () => {
        const text = await make();
        return new Map(text === undefined ? [] : [[id, text]]);
      });
      return values.get(id)?.text;
    },
    costOf: ({ from }, fetched) => {
      const isPaid = from === 'miss' || (from === 'joined' && settings.cache_joined === 'each');
      return isPaid ? fetched : { amount: zeroAmount };
    },
    report: () => {
      const all = [...parts.values()];
      for (const { from } of all) metrics?.cached(tool, from);
      return {
        headers: { [cacheHeader]: reportParts(all) },
        fromCache: all.every(({ from }) => from !== 'miss'),
      };
    },
  };
}

/** How long to wait for what another caller derives. */
const makingMs = 15_000;

interface CachedRequest {
  account_id: string;
  tool: 'search' | 'extract';
  /** The provider that answers, not `auto`. */
  provider: string;
  /** Everything of the parsed request that can change the answer. */
  request: object;
  /**
   * The domains that the caller's policy allows, as text. Different rules have different entries.
   */
  pages?: string | undefined;
}

function entryId(cached: CachedRequest): string {
  const { account_id, tool, provider, request, pages } = cached;
  const rules = pages === undefined ? [] : [pages];
  return sha256Hex(canonicalJson([account_id, tool, provider, request, ...rules]));
}
