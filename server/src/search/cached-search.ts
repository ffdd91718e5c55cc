// Searches through the cache, one entry for each engine: a search on one engine and a member of a
// fusion panel that ask for the same share an entry.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import type { CacheUse } from '../cache/index.ts';
import { assertAmount } from '../billing/core/index.ts';
import type { SearchOutcome, SearchPlan } from './search-engine.ts';

type Answered = Extract<SearchOutcome, { ok: true }>;

/** The entries of one search request. */
export interface CachedSearch {
  use: CacheUse;
  idOf: (engine: SearchEngineId) => string;
  /** Whether the vendor's whole answer is stored beside its results. */
  keepsBody: boolean;
}

export function cachedSearch(
  use: CacheUse,
  { provider: _provider, provider_options: options, ...request }: SearchRequest,
  keepsBody: boolean,
): CachedSearch {
  return {
    use,
    keepsBody,
    idOf: (engine) => use.idOf(engine, { ...request, options: options?.[engine], keepsBody }),
  };
}

/** Only whole answers are stored. */
export async function throughCache<F extends { ok: false }>(
  cached: CachedSearch,
  { chosen }: Pick<SearchPlan, 'chosen'>,
  waitMs: number,
  fetch: () => Promise<Answered | F>,
): Promise<Answered | F> {
  const id = cached.idOf(chosen.provider.id as SearchEngineId);
  let fetched: Answered | F | undefined;
  const fetchOne = async (): Promise<Map<string, string>> => {
    fetched = await fetch();
    if (!fetched.ok || fetched.partial) return new Map();
    const { body, ...stored } = fetched;
    return new Map([[id, JSON.stringify(cached.keepsBody ? { ...stored, body } : stored)]]);
  };
  const values = await cached.use.fill([id], fetchOne, waitMs);
  if (fetched) return fetched;
  const value = values.get(id);
  if (!value) throw new Error('the cache has neither an answer nor a refusal');
  const answer = JSON.parse(value.text) as Answered;
  const { amount, reported } = answer.cost;
  const cost = {
    amount: assertAmount(amount, 'the cost of a cached answer'),
    ...(reported === undefined ? {} : { reported }),
  };
  return { ...answer, cost: cached.use.costOf(value, cost) };
}
