// The order of `auto` by measured quality: the cheapest engine that is about as good as the best.
import type { AutoOrder, SearchEngineId, SearchRequest } from '@trivium/contract';
import { choose, classOfSearch } from '../quality/core/index.ts';
import type { RoutingEvidence } from '../quality/index.ts';
import { allowedOrder, type Caller } from '../requests/index.ts';
import { isReady, priceIfAble, type ReadyProvider, type ToolContext } from '../upstream/index.ts';

interface QualityContext extends Pick<ToolContext, 'providers' | 'settings'> {
  routingEvidence?: Pick<RoutingEvidence, 'talliesFor'>;
}

/** An order, and why each engine has its place. */
export interface QualityOrder {
  by: string;
  order: { engine: SearchEngineId; reason: string }[];
}

/** `random` is called once. */
export function qualityOrder(
  { providers, settings, routingEvidence }: QualityContext,
  request: SearchRequest,
  { account_id, policy }: Pick<Caller, 'account_id' | 'policy'>,
  priceOf: (chosen: ReadyProvider) => number,
  random: () => number,
): QualityOrder {
  const tallies = routingEvidence?.talliesFor(account_id, classOfSearch(request));
  const candidates = allowedOrder(policy, settings.auto_search).flatMap((engine) => {
    const chosen = providers[engine];
    if (!isReady(chosen)) return [];
    return [{ engine, price: priceIfAble(chosen, priceOf), tally: tallies?.get(engine) }];
  });
  return choose(candidates, settings.quality_routing, random);
}

/** The order of all accounts for a plain request. */
export function explainQuality(
  context: QualityContext,
  request: SearchRequest,
  priceOf: (chosen: ReadyProvider) => number,
): AutoOrder {
  const { order } = qualityOrder(context, request, { account_id: '' }, priceOf, withoutTrials);
  return {
    routing: 'quality',
    order: order.map(({ engine, reason }) => ({ provider: engine, reason })),
  };
}

/** For what is only estimated or described. */
export const withoutTrials = () => 1;

export const routingHeader = 'x-trivium-routing';

/** For the answer's header and the log. */
export function routingText({ by, order }: QualityOrder, served: string | undefined): string {
  const place = order.find(({ engine }) => engine === served) ?? order[0];
  return place ? `${by}; ${place.engine}: ${place.reason}` : by;
}
