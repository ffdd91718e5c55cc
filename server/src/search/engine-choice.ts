// Which engines serve a search: the members of a fusion panel, as far as they are available on this
// deployment, or the order of `auto` by measured quality, in which the cheapest engine that is about
// as good as the best comes first.
import { defaultFusionPanel, GatewayError } from '@trivium/contract';
import type {
  AutoOrder,
  FusionOptions,
  SearchEngineId,
  SearchRequest,
  Warning,
} from '@trivium/contract';
import { choose, classOfSearch, type QualityChoice } from '../quality/core/index.ts';
import { allowedOrder, checkProviders } from '../requests/index.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import { isReady, priceIfAble, type ReadyProvider } from '../upstream/index.ts';
import type { SearchContext } from './context.ts';

export interface Panel {
  /** In the requested order, which breaks ties. */
  members: ReadyProvider[];
  /** One for each requested member that is not available. */
  warnings: Warning[];
}

export function choosePanel(
  providers: SearchContext['providers'],
  named: FusionOptions['providers'],
  policy: RequestPolicy | undefined,
): Panel {
  const wanted: readonly SearchEngineId[] = named ?? defaultFusionPanel;
  const isAllowed = (id: SearchEngineId) => policy?.providers?.includes(id) ?? true;
  const ready = wanted.filter((id) => isReady(providers[id]));
  const allowed = ready.filter(isAllowed);
  const members = allowed.map((id) => providers[id]).filter(isReady);
  const missing = wanted.filter((id) => !isReady(providers[id]));
  if (members.length === 0) {
    checkProviders(policy, ready);
    throw emptyPanelError(providers, missing);
  }
  const refused = ready.filter((id) => !isAllowed(id));
  // The default panel is reduced to the configured engines. That is worth a warning only if just
  // one remains.
  const reported = named === undefined && members.length > 1 ? [] : missing;
  return {
    members,
    warnings: [
      ...reported.map((id) => missingMember(id, whyMissing(providers, id))),
      ...refused.map((id) => missingMember(id, 'the policy of this account or key excludes it')),
    ],
  };
}

function missingMember(id: SearchEngineId, reason: string): Warning {
  return {
    code: 'results_post_filtered',
    param: 'provider_options.fusion.providers',
    message: `${id}: not on the panel, because ${reason}.`,
  };
}

function emptyPanelError(
  providers: SearchContext['providers'],
  missing: readonly SearchEngineId[],
): GatewayError {
  return new GatewayError(
    'provider_not_configured',
    'No member of the fusion panel can run on this deployment. ' +
      'Set the credential of at least one, or name engines that are configured.',
    { members: missing.map((id) => ({ provider: id, reason: whyMissing(providers, id) })) },
  );
}

function whyMissing(providers: SearchContext['providers'], id: SearchEngineId): string {
  return providers[id].state === 'disabled'
    ? 'it is disabled on this deployment'
    : 'it has no credential on this deployment';
}

/** An order, and the reason for each position in it. */
export type QualityOrder = QualityChoice<SearchEngineId>;

/** `random` is called once. */
export function qualityOrder(
  { providers, settings, routingEvidence }: SearchContext,
  request: SearchRequest,
  { account_id, policy }: { account_id?: string; policy?: RequestPolicy },
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
  context: SearchContext,
  request: SearchRequest,
  priceOf: (chosen: ReadyProvider) => number,
): AutoOrder {
  const { order } = qualityOrder(context, request, {}, priceOf, withoutTrials);
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
