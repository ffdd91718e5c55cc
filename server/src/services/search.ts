// POST /v1/search as a verb: one engine or a panel, answered with who served, what was adjusted
// and what it cost.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import { charged } from '../domain/prices.ts';
import { chooseProvider } from './choose-provider.ts';
import { explain_header, explainFusion } from './explain.ts';
import { performFusion, planFusion } from './fuse.ts';
import type { House } from './house.ts';
import { panelError, providerError, strictRefusal } from './refuse.ts';
import { performSearch, planSearch, search_bounds, search_timeout_ms } from './search-one.ts';
import { fusedText, resultId, resultText, writeResponse } from './write-search.ts';
import type { SearchAnswer } from './write-search.ts';

export interface SearchWishes {
  signal?: AbortSignal;
  /** Whether the ranks behind a fusion are wanted in a header. */
  explain?: boolean;
}

export interface Served {
  /** The response body as text. */
  text: string;
  headers: Record<string, string>;
}

/** A search that is ready to run; its price is bounded before anyone is called. */
interface Work {
  /** The most it can cost, in micro-USD. */
  most: number;
  perform: () => Promise<SearchAnswer & { headers?: Record<string, string> }>;
}

export async function search(
  house: House,
  request: SearchRequest,
  wishes: SearchWishes = {},
): Promise<Served> {
  const started = house.clock.ticks();
  const work = prepare(house, request, wishes);
  const { headers = {}, ...answer } = await work.perform();
  return { text: writeResponse(answer, Math.round(house.clock.ticks() - started)), headers };
}

function prepare(house: House, request: SearchRequest, wishes: SearchWishes): Work {
  return request.provider === 'fusion'
    ? prepareFusion(house, request, wishes)
    : prepareOne(house, request, request.provider, wishes);
}

function prepareOne(
  house: House,
  request: SearchRequest,
  asked: SearchEngineId | 'auto',
  { signal }: SearchWishes,
): Work {
  const chosen = chooseProvider(house.stations, asked, house.settings.auto_search);
  const { id } = chosen.provider;
  const plan = planSearch(house, chosen, request);
  if (request.strict) strictRefusal(id, plan.negotiated.warnings);
  return {
    most: plan.most,
    perform: async () => {
      const outcome = await performSearch(house, plan, {
        timeout_ms: search_timeout_ms,
        ...search_bounds,
        ...(signal ? { signal } : {}),
      });
      if (!outcome.ok) throw providerError(id, outcome.refusal);
      return {
        provider: id as SearchEngineId,
        results: outcome.found.map((found, index) => resultText(found, index + 1)),
        warnings: outcome.warnings,
        cost: charged(outcome.cost),
      };
    },
  };
}

function prepareFusion(house: House, request: SearchRequest, wishes: SearchWishes): Work {
  const plan = planFusion(house, request);
  return {
    most: plan.most,
    perform: async () => {
      const outcome = await performFusion(house, plan, wishes.signal);
      if (!outcome.ok) throw panelError(outcome.failed);
      const { fusion, warnings, cost } = outcome;
      const results = fusion.results.map(fusedText);
      if (!wishes.explain) return { provider: 'fusion', results, warnings, cost };
      const explanation = explainFusion(fusion, ({ key }) => resultId(key));
      const headers = { [explain_header]: explanation };
      return { provider: 'fusion', results, warnings, cost, headers };
    },
  };
}
