// POST /v1/search as a verb: one engine, asked once, answered with who served, what was adjusted and what it cost.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { pageKey } from '../domain/page-key.ts';
import { charged } from '../domain/prices.ts';
import { scoreOf } from '../domain/score.ts';
import { newSearchId, sha256Hex } from '../platform/ids.ts';
import { allowedOrder } from './allow-list.ts';
import { charge } from './charge.ts';
import type { Served } from './charge.ts';
import { chooseProvider } from './choose-provider.ts';
import type { Asking, House } from './house.ts';
import { providerError, strictRefusal } from './refuse.ts';
import { performSearch, planSearch, search_max_bytes, search_timeout_ms } from './search-one.ts';
import type { Found } from './search-one.ts';

export function search(house: House, request: SearchRequest, asking: Asking): Promise<Served> {
  if (request.provider === 'fusion') {
    throw new GatewayError(
      'provider_not_available',
      'fusion is not available on this deployment yet.',
    );
  }
  const order = allowedOrder(asking.caller, house.settings.auto_search);
  const chosen = chooseProvider(house.stations, request.provider, order);
  const { id } = chosen.provider;
  const plan = planSearch(house, chosen, request);
  if (request.strict) strictRefusal(id, plan.negotiated.warnings);
  return charge(house, asking, {
    tool: 'search',
    provider: id,
    calls: [id],
    most: plan.most,
    lasts_ms: search_timeout_ms,
    perform: async () => {
      const outcome = await performSearch(house, plan, {
        timeout_ms: search_timeout_ms,
        max_bytes: search_max_bytes,
        ...(asking.signal ? { signal: asking.signal } : {}),
      });
      if (!outcome.ok) throw providerError(id, outcome.refusal);
      const { warnings, cost } = outcome;
      const results = outcome.found.map((found, index) => resultText(found, index + 1));
      return {
        cost: charged(cost),
        reported_cost: cost.reported,
        warnings: warnings.length,
        write: (usage, latency_ms) =>
          writeResponse(id as SearchEngineId, results, { warnings, usage, latency_ms }),
      };
    },
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
