// POST /v1/search as a verb: one engine, asked once, answered with who served, what was adjusted and what it cost.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { usageOf } from '../domain/money.ts';
import { pageKey } from '../domain/page-key.ts';
import { charged } from '../domain/prices.ts';
import { scoreOf } from '../domain/score.ts';
import { newSearchId, sha256Hex } from '../platform/ids.ts';
import { chooseProvider } from './choose-provider.ts';
import type { House } from './house.ts';
import { providerError, strictRefusal } from './refuse.ts';
import { performSearch, planSearch, search_max_bytes, search_timeout_ms } from './search-one.ts';
import type { Found } from './search-one.ts';

/** The response body as text: `raw` goes out exactly as it came in. */
export async function search(
  house: House,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<string> {
  const started = house.clock.ticks();
  if (request.provider === 'fusion') {
    throw new GatewayError(
      'provider_not_available',
      'fusion is not available on this deployment yet.',
    );
  }
  const chosen = chooseProvider(house.stations, request.provider, house.settings.auto_search);
  const plan = planSearch(house, chosen, request);
  if (request.strict) strictRefusal(chosen.provider.id, plan.negotiated.warnings);
  const outcome = await performSearch(house, plan, {
    timeout_ms: search_timeout_ms,
    max_bytes: search_max_bytes,
    ...(signal ? { signal } : {}),
  });
  if (!outcome.ok) throw providerError(chosen.provider.id, outcome.refusal);
  const results = outcome.found.map((found, index) => resultText(found, index + 1));
  return writeResponse(chosen.provider.id as SearchEngineId, results, {
    warnings: outcome.warnings,
    usage: usageOf(charged(outcome.cost)),
    latency_ms: Math.round(house.clock.ticks() - started),
  });
}

function writeResponse(provider: SearchEngineId, results: readonly string[], rest: object): string {
  const head = `{"id":"${newSearchId()}","provider":"${provider}","results":[${results.join(',')}]`;
  return `${head},${JSON.stringify(rest).slice(1)}`;
}

function resultText({ raw, score, title, snippets, url, ...more }: Found, rank: number): string {
  const shown = {
    id: resultId(url),
    url,
    title: title ?? null,
    snippets,
    ...more,
    ...scoreOf(score, rank),
  };
  return `${JSON.stringify(shown).slice(0, -1)},"raw":${raw}}`;
}

/** The same page has the same id in every search. */
export function resultId(url: string): string {
  return `res_${sha256Hex(pageKey(url)).slice(0, 16)}`;
}
