// POST /v1/search: one engine or a fusion panel. The answer names the engine, the warnings and the
// cost.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import { allowedOrder, withPolicyCeiling } from '../billing/policy-checks.ts';
import { charge } from '../billing/charge.ts';
import type { Work } from '../billing/charge.ts';
import type { ReadyProvider } from '../upstream/choose-provider.ts';
import { explainHeader, explainFusion } from './explain.ts';
import { prepareChosen } from '../upstream/failover.ts';
import { fusionTries, performFusion, planFusion } from './fusion.ts';
import type { RequestContext } from '../billing/request-context.ts';
import type { ToolContext } from '../upstream/context.ts';
import type { SearchContext } from './context.ts';
import { providerError, strictRefusal } from '../upstream/errors.ts';
import { performSearch, planSearch, searchBounds, searchTimeoutMs } from './search-engine.ts';
import { fusedText, resultId, resultText, writeResponse } from './write-answer.ts';
import type { Served } from '../billing/request-context.ts';
import { panelError } from './fusion.ts';

interface SearchWishes {
  /** Whether the caller wants the ranks of a fusion in a header. */
  explain?: boolean;
  /** Whether the answer includes the vendor's answer apart from its results. */
  vendorFields?: boolean;
}

export function search(
  context: SearchContext,
  request: SearchRequest,
  requestContext: RequestContext,
  options: SearchWishes = {},
): Promise<Served> {
  const work =
    request.provider === 'fusion'
      ? prepareFusion(context, request, requestContext, options)
      : prepareChosen(
          context,
          'search',
          request.provider,
          allowedOrder(requestContext.caller.policy, context.settings.auto_search),
          requestContext,
          (chosen) => prepareOne(context, request, chosen, requestContext, options),
        );
  return charge(context, requestContext, work);
}

function prepareOne(
  context: ToolContext,
  request: SearchRequest,
  chosen: ReadyProvider,
  { signal, caller }: RequestContext,
  { vendorFields = false }: SearchWishes,
): Work {
  const id = chosen.provider.id as SearchEngineId;
  const plan = planSearch(
    withPolicyCeiling(context, caller.policy),
    chosen,
    request,
    caller.policy,
  );
  if (request.strict) strictRefusal(id, plan.negotiated.warnings);
  return {
    provider: id,
    calls: [id],
    maxCost: plan.maxCost,
    maxDurationMs: searchTimeoutMs,
    perform: async () => {
      const outcome = await performSearch(context, plan, {
        timeout_ms: searchTimeoutMs,
        ...searchBounds,
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

/** The vendor's answer apart from its results. */
function besideResults(body: unknown, places: readonly (readonly string[])[]): object {
  if (typeof body !== 'object' || body === null) return {};
  const results = places.map(([first]) => first);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !results.includes(name)));
}

function prepareFusion(
  context: SearchContext,
  request: SearchRequest,
  { signal, caller }: RequestContext,
  options: SearchWishes,
): Work {
  const plan = planFusion(withPolicyCeiling(context, caller.policy), request, caller.policy);
  return {
    provider: 'fusion',
    calls: plan.members.map(({ chosen }) => chosen.provider.id),
    maxCost: plan.maxCost,
    maxDurationMs: plan.options.timeout_ms * fusionTries,
    perform: async () => {
      const outcome = await performFusion(context, plan, signal);
      if (!outcome.ok) throw panelError(outcome.failed);
      const { fusion, fewPages, warnings, cost } = outcome;
      const results = fusion.results.map(fusedText);
      const write = writeResponse({ provider: 'fusion', results, warnings });
      const done = { cost, warnings: warnings.length, delivered: results.length, write };
      if (!options.explain) return done;
      const explanation = explainFusion(fusion, ({ key }) => resultId(key), fewPages);
      return { ...done, headers: { [explainHeader]: explanation } };
    },
  };
}
