// POST /v1/search as a verb: one engine or a panel, answered with who served, what was adjusted
// and what it cost.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import { allowedOrder } from './allow-list.ts';
import { charge } from './charge.ts';
import type { Served, Work } from './charge.ts';
import type { Chosen } from './choose-provider.ts';
import { explain_header, explainFusion } from './explain.ts';
import { prepareChosen } from './failover.ts';
import { fusion_tries, performFusion, planFusion } from './fuse.ts';
import type { Asking, House } from './house.ts';
import { panelError, providerError, strictRefusal } from './refuse.ts';
import { performSearch, planSearch, search_bounds, search_timeout_ms } from './search-one.ts';
import { fusedText, resultId, resultText, writeResponse } from './write-search.ts';

export interface SearchWishes {
  /** Whether the ranks behind a fusion are wanted in a header. */
  explain?: boolean;
  /** Whether the answer carries what the vendor said beside its results. */
  vendorFields?: boolean;
}

export function search(
  house: House,
  request: SearchRequest,
  asking: Asking,
  wishes: SearchWishes = {},
): Promise<Served> {
  const work =
    request.provider === 'fusion'
      ? prepareFusion(house, request, asking, wishes)
      : prepareChosen(
          house,
          'search',
          request.provider,
          allowedOrder(asking.caller, house.settings.auto_search),
          asking,
          (chosen) => prepareOne(house, request, chosen, asking, wishes),
        );
  return charge(house, asking, work);
}

function prepareOne(
  house: House,
  request: SearchRequest,
  chosen: Chosen,
  { signal }: Asking,
  { vendorFields = false }: SearchWishes,
): Work {
  const id = chosen.provider.id as SearchEngineId;
  const plan = planSearch(house, chosen, request);
  if (request.strict) strictRefusal(id, plan.negotiated.warnings);
  return {
    provider: id,
    calls: [id],
    maxCost: plan.maxCost,
    lasts_ms: search_timeout_ms,
    perform: async () => {
      const outcome = await performSearch(house, plan, {
        timeout_ms: search_timeout_ms,
        ...search_bounds,
        ...(signal ? { signal } : {}),
      });
      if (!outcome.ok) throw providerError(id, outcome.refusal);
      const { warnings, cost } = outcome;
      const results = outcome.found.map((found, index) => resultText(found, index + 1));
      return {
        cost,
        warnings: warnings.length,
        delivered: results.length,
        write: writeResponse({
          provider: id,
          results,
          warnings,
          ...(vendorFields ? { vendor: besideResults(outcome.body, plan.product.raw_at) } : {}),
        }),
      };
    },
  };
}

/** What the vendor said of the search as a whole. */
function besideResults(body: unknown, places: readonly (readonly string[])[]): object {
  if (typeof body !== 'object' || body === null) return {};
  const results = places.map(([first]) => first);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !results.includes(name)));
}

function prepareFusion(
  house: House,
  request: SearchRequest,
  { signal }: Asking,
  wishes: SearchWishes,
): Work {
  const plan = planFusion(house, request);
  return {
    provider: 'fusion',
    calls: plan.members.map(({ chosen }) => chosen.provider.id),
    maxCost: plan.maxCost,
    lasts_ms: plan.options.timeout_ms * fusion_tries,
    perform: async () => {
      const outcome = await performFusion(house, plan, signal);
      if (!outcome.ok) throw panelError(outcome.failed);
      const { fusion, warnings, cost } = outcome;
      const results = fusion.results.map(fusedText);
      const write = writeResponse({ provider: 'fusion', results, warnings });
      const done = { cost, warnings: warnings.length, delivered: results.length, write };
      if (!wishes.explain) return done;
      const explanation = explainFusion(fusion, ({ key }) => resultId(key));
      return { ...done, headers: { [explain_header]: explanation } };
    },
  };
}
