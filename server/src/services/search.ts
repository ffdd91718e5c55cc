// POST /v1/search as a verb: one engine or a panel, answered with who served, what was adjusted
// and what it cost.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import { charged } from '../domain/prices.ts';
import { allowedOrder } from './allow-list.ts';
import { charge } from './charge.ts';
import type { Done, Served, Work } from './charge.ts';
import { chooseProvider } from './choose-provider.ts';
import { explain_header, explainFusion } from './explain.ts';
import { performFusion, planFusion } from './fuse.ts';
import type { Asking, House } from './house.ts';
import { panelError, providerError, strictRefusal } from './refuse.ts';
import { performSearch, planSearch, search_max_bytes, search_timeout_ms } from './search-one.ts';
import { fusedText, resultId, resultText, writeResponse } from './write-search.ts';
import type { SearchAnswer } from './write-search.ts';

/** A fusion member is asked at most twice, each time within the same budget. */
const tries_of_a_member = 2;

export function search(
  house: House,
  request: SearchRequest,
  asking: Asking,
  explain = false,
): Promise<Served> {
  const work =
    request.provider === 'fusion'
      ? prepareFusion(house, request, asking, explain)
      : prepareOne(house, request, request.provider, asking);
  return charge(house, asking, work);
}

function prepareOne(
  house: House,
  request: SearchRequest,
  asked: SearchEngineId | 'auto',
  { caller, signal }: Asking,
): Work {
  const order = allowedOrder(caller, house.settings.auto_search);
  const chosen = chooseProvider(house.stations, asked, order);
  const { id } = chosen.provider;
  const plan = planSearch(house, chosen, request);
  if (request.strict) strictRefusal(id, plan.negotiated.warnings);
  return {
    tool: 'search',
    provider: id,
    calls: [id],
    most: plan.most,
    lasts_ms: search_timeout_ms,
    perform: async () => {
      const outcome = await performSearch(house, plan, {
        timeout_ms: search_timeout_ms,
        max_bytes: search_max_bytes,
        ...(signal ? { signal } : {}),
      });
      if (!outcome.ok) throw providerError(id, outcome.refusal);
      const { warnings, cost } = outcome;
      const results = outcome.found.map((found, index) => resultText(found, index + 1));
      return {
        ...doneWith({ provider: id as SearchEngineId, results, warnings }, charged(cost)),
        reported_cost: cost.reported,
      };
    },
  };
}

function prepareFusion(
  house: House,
  request: SearchRequest,
  { signal }: Asking,
  explain: boolean,
): Work {
  const plan = planFusion(house, request);
  return {
    tool: 'search',
    provider: 'fusion',
    calls: plan.members.map(({ chosen }) => chosen.provider.id),
    most: plan.most,
    lasts_ms: tries_of_a_member * plan.options.timeout_ms,
    perform: async () => {
      const outcome = await performFusion(house, plan, signal);
      if (!outcome.ok) throw panelError(outcome.failed);
      const { fusion, warnings, cost } = outcome;
      const done = doneWith(
        { provider: 'fusion', results: fusion.results.map(fusedText), warnings },
        cost,
      );
      if (!explain) return done;
      const explanation = explainFusion(fusion, ({ key }) => resultId(key));
      return { ...done, headers: { [explain_header]: explanation } };
    },
  };
}

function doneWith(answer: SearchAnswer, cost: number): Done {
  return {
    cost,
    warnings: answer.warnings.length,
    write: (usage, latency_ms) => writeResponse(answer, usage, latency_ms),
  };
}
