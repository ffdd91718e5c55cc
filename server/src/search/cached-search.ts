// Searches through the cache, with one entry for each engine. A search on one engine and a member
// of a fusion panel share an entry if they ask for the same.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import type { CacheUse } from '../cache/index.ts';
import { assertAmount } from '../billing/core/index.ts';
import { StoredWarning } from '../requests/index.ts';
import type { ReadyProvider } from '../upstream/index.ts';
import { z } from 'zod';
import { readJson } from '../store/index.ts';
import type { Found, SearchOutcome } from './search-engine.ts';

type Answered = Extract<SearchOutcome, { ok: true }>;

const CachedFound: z.ZodType<Found> = z.object({
  item: z.number(),
  url: z.string(),
  title: z.string().optional(),
  snippets: z.array(z.string()),
  full_text: z.string().optional(),
  summary: z.string().optional(),
  score: z.number().optional(),
  published_date: z.string().optional(),
  published_year: z.number().optional(),
  author: z.string().optional(),
  raw: z.string(),
});

const CachedAnswer = z.object({
  ok: z.literal(true),
  found: z.array(CachedFound),
  warnings: z.array(StoredWarning),
  cost: z.object({ amount: z.number(), reported: z.number().optional() }),
  body: z.unknown().optional(),
});

/** Throws if the text is not an answer that this version stores. */
export function readAnswer(text: string): Answered {
  const { cost, ...answer } = readJson('A cached search', CachedAnswer.parse, text);
  const amountOf = (amount: number) => assertAmount(amount, 'the cost of a cached answer');
  const { amount, reported } = cost;
  return {
    ...answer,
    cost: {
      amount: amountOf(amount),
      ...(reported === undefined ? {} : { reported: amountOf(reported) }),
    },
  };
}

export type CachedSearch = ReturnType<typeof cachedSearch>;

/**
 * The entries of one search request, one for each engine. With `keepsBody`, the vendor's whole
 * answer is stored in addition to its results.
 */
export function cachedSearch(
  use: CacheUse,
  { provider: _provider, provider_options: options, ...request }: SearchRequest,
  keepsBody: boolean,
) {
  const ids = new Map<string, string>();
  const idOf = ({ provider: { id: engine } }: ReadyProvider) => {
    const given = options?.[engine as SearchEngineId];
    const id = ids.get(engine) ?? use.idOf(engine, { ...request, options: given, keepsBody });
    ids.set(engine, id);
    return id;
  };
  return { use, keepsBody, idOf, knows: (chosen: ReadyProvider) => use.knows(idOf(chosen)) };
}

/** Only complete answers are stored. */
export async function fillFromCache<F extends { ok: false }>(
  { use, keepsBody, idOf }: CachedSearch,
  chosen: ReadyProvider,
  waitMs: number,
  fetch: () => Promise<Answered | F>,
): Promise<Answered | F> {
  const id = idOf(chosen);
  let fetched: Answered | F | undefined;
  const fetchOne = async (): Promise<Map<string, string>> => {
    fetched = await fetch();
    if (!fetched.ok || fetched.partial) return new Map();
    const { body, ...stored } = fetched;
    return new Map([[id, JSON.stringify(keepsBody ? { ...stored, body } : stored)]]);
  };
  const values = await use.fill([id], fetchOne, waitMs);
  if (fetched) return fetched;
  const value = values.get(id);
  if (!value) throw new Error('the cache has neither an answer nor a refusal');
  const answer = readAnswer(value.text);
  return { ...answer, cost: use.costOf(value, answer.cost) };
}
