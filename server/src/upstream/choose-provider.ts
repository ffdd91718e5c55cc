// Chooses the provider of a request: the one that is named, or the first configured and healthy one
// in the order of `auto`, which is fixed, or by price, latency or weight, as the operator chooses.
// With failover, `auto` uses the next one if a provider certainly did no work and, if the operator
// wants it, also if a provider found nothing.
import type { AutoOrder, ProviderId, Routing, ToolName } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { allowedOrder, type CurrentRequest } from '../requests/index.ts';
import { type Amount, assertAmount, greatestOf, usd } from '../billing/core/index.ts';
import {
  type CallPlan,
  type Done,
  maxCostOfAll,
  policyCeiling,
  sumOfCosts,
} from '../billing/index.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { Settings } from '../settings/index.ts';
import { maxProviders, timeInTurn } from '../platform/time-limits.ts';
import type {
  ConfiguredProvider,
  ConfiguredProviders,
  ReadyProvider,
  UpstreamContext,
} from './context.ts';
import { type Candidate, isMeasured, routeCandidates } from './core/routing.ts';
import type { RefusalKind } from './core/refusal.ts';
import { isAvailable } from './guard.ts';

/** The products a provider may have. */
type Tool = 'search' | 'extract' | 'transcribe';

/** The providers of one request, in the order in which they are asked. */
export type InTurn = readonly [ReadyProvider, ...ReadyProvider[]];

/**
 * The chosen provider first and, with failover, those that may serve in its place. A request calls
 * this once, because circuits open and close while it waits.
 */
export function providersInTurn(
  context: UpstreamContext,
  tool: Tool,
  asked: ProviderId | 'auto',
  fixed: readonly ProviderId[],
  { policy, account_id }: { policy?: RequestPolicy | undefined; account_id?: string },
  /** Absent if the order is already chosen. */
  priceOf?: PriceOf,
): InTurn {
  const { providers, settings } = context;
  if (asked !== 'auto') return [providerOrRefusal(providers, tool, asked)];
  const order = priceOf ? autoOrder(context, tool, allowedOrder(policy, fixed), priceOf) : fixed;
  const [first, ...others] = readyInOrder(providers, order, account_id);
  const substitutes = settings.failover === 'off' ? [] : others.slice(0, maxProviders - 1);
  if (first) return [first, ...substitutes];
  throw new GatewayError(
    'provider_not_configured',
    'No provider for this tool is configured on this deployment. ' +
      'Set the credential of at least one, or run with TRIVIUM_SANDBOX=on.',
    { tried: order },
  );
}

/** The providers that `auto` may choose, in order. Those with an open circuit come last. */
export function readyInOrder<Id extends ProviderId>(
  providers: Pick<ConfiguredProviders, Id>,
  order: readonly Id[],
  accountId?: string,
): ReadyProvider[] {
  const ready = order.map((id): ConfiguredProvider => providers[id]).filter(isReady);
  const well = ready.filter(({ guard }) => !guard || isAvailable(guard, accountId));
  return well.length === ready.length
    ? ready
    : [...well, ...ready.filter((one) => !well.includes(one))];
}

export function isReady(configured: ConfiguredProvider): configured is ReadyProvider {
  return configured.state === 'configured' && configured.upstream !== undefined;
}

function providerOrRefusal(
  providers: ConfiguredProviders,
  tool: Tool,
  id: ProviderId,
): ReadyProvider {
  const asked = providers[id];
  if (isReady(asked)) return asked;
  const configured = Object.values(providers)
    .filter((other) => isReady(other) && other.provider[tool] !== undefined)
    .map((other) => other.provider.id);
  if (asked.state === 'disabled') {
    throw new GatewayError(
      'provider_not_available',
      `${id} is disabled on this deployment.`,
      { provider: id, configured },
      // The API documents a 501 only for search.
      tool === 'search' ? {} : { status: 503 },
    );
  }
  throw new GatewayError(
    'provider_not_configured',
    `${id} has no credential on this deployment. Set ${asked.provider.credential.env[0]}, ` +
      'or choose another provider.',
    { provider: id, configured },
  );
}

/** One plan for providers that are asked in turn. The answer names the one that served it. */
export interface PlanInTurn<P extends CallPlan> extends CallPlan {
  inTurn: readonly [P, ...P[]];
  /** True if a provider is asked because another one found nothing; each of them is then paid. */
  asksAfterEmpty: boolean;
}

/**
 * Adds the plans of substitutes to that of the first provider. A substitute that cannot honour a
 * strict request, or would cost too much, is left out.
 */
export function planInTurn<P extends CallPlan>(
  context: UpstreamContext,
  currentRequest: CurrentRequest,
  first: P,
  substitutes: readonly ReadyProvider[],
  planOne: (chosen: ReadyProvider) => P,
): PlanInTurn<P> {
  if (substitutes.length === 0) {
    const { provider, calls, maxCost, time } = first;
    return { provider, calls, maxCost, time, inTurn: [first], asksAfterEmpty: false };
  }
  const others: P[] = [];
  const paysAll = context.settings.failover === 'empty';
  const ceiling = paysAll ? ceilingFor(context, currentRequest) : undefined;
  for (const substitute of substitutes) {
    try {
      const next = planOne(substitute);
      if (ceiling) maxCostOfAll(ceiling, costsOf([first, ...others, next]), 'provider');
      others.push(next);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.type !== 'invalid_request') throw error;
    }
  }
  const inTurn = [first, ...others] as const;
  const costs = costsOf(inTurn);
  const times = others.map(({ time }) => time);
  return {
    provider: first.provider,
    calls: inTurn.flatMap(({ calls }) => calls),
    maxCost: paysAll ? sumOf(costs) : greatestOf(costs),
    time: timeInTurn(first.time, times),
    inTurn,
    asksAfterEmpty: paysAll && others.length > 0,
  };
}

/** The sum was checked when each of them was added. */
function sumOf(costs: readonly Amount[]): Amount {
  const sum = costs.reduce<number>((total, cost) => total + cost, 0);
  return assertAmount(sum, 'the price of providers in turn');
}

function costsOf(plans: readonly CallPlan[]): Amount[] {
  return plans.map(({ maxCost }) => maxCost);
}

/** The most that a request may cost according to the settings, the policy and the caller. */
function ceilingFor(
  { settings }: UpstreamContext,
  { caller: { policy }, max_cost_usd }: CurrentRequest,
): { max_request_usd: number } {
  const { max_request_usd } = policyCeiling(settings, policy);
  const asked = max_cost_usd === undefined ? max_request_usd : Number(max_cost_usd);
  return { max_request_usd: Math.min(max_request_usd, asked) };
}

/**
 * How a tool performs its plan: it calls one provider after the other, until one serves or may have
 * done work. With failover from empty answers, the earlier ones are paid as well. If none finds
 * anything, the answer of the first one is returned.
 */
export function performInTurn<C extends UpstreamContext, P extends PlanInTurn<CallPlan>>(
  context: C,
  performOne: (
    context: C,
    one: P['inTurn'][number],
    plan: P,
    currentRequest: CurrentRequest,
  ) => Promise<Done>,
  complete: (plan: P, currentRequest: CurrentRequest, done: Done) => Done,
): (plan: P, currentRequest: CurrentRequest) => Promise<Done> {
  return async (plan, currentRequest) => {
    const { inTurn, asksAfterEmpty } = plan;
    const { seen, signal } = currentRequest;
    const last = inTurn.at(-1);
    const empty: Answer[] = [];
    let served: Answer | undefined;
    for (const one of inTurn) {
      const { provider } = one;
      seen.provider = provider;
      try {
        const done = await performOne(context, one, plan, currentRequest);
        if (done.delivered > 0 || !asksAfterEmpty) {
          served = { provider, done };
          break;
        }
        empty.push({ provider, done });
        if (signal?.aborted) break;
      } catch (error) {
        const mayContinue = one !== last && mayTryNext(error, signal);
        if (!mayContinue && empty.length === 0) throw error;
        if (!mayContinue) break;
      }
    }
    served ??= empty.shift();
    if (served === undefined) throw new Error('a request was planned without a provider');
    seen.provider = served.provider;
    const done = empty.length === 0 ? served.done : payAll(context.settings, served, empty);
    return complete(plan, currentRequest, done);
  };
}

interface Answer {
  provider: string;
  done: Done;
}

/** One answer, at the price of all answers that were given. */
function payAll(settings: UpstreamContext['settings'], served: Answer, others: Answer[]): Done {
  const all = [...others, served];
  return {
    ...served.done,
    cost: sumOfCosts(
      settings,
      all.map(({ done }) => done.cost),
    ),
    parts: all.map(({ provider, done: { cost } }) => ({
      provider: provider as ProviderId,
      amount: cost.amount,
      reported: cost.reported !== undefined,
    })),
  };
}

/** After these refusals the provider certainly did no work that it could charge for. */
const didNoWork: ReadonlySet<unknown> = new Set<RefusalKind>([
  'rate_limited',
  'unauthorized',
  'out_of_credit',
  'unavailable',
  'unreachable',
  'overloaded',
]);

/** True if the next provider may be called after this error. */
function mayTryNext(error: unknown, signal: AbortSignal | undefined): boolean {
  if (!(error instanceof GatewayError) || signal?.aborted) return false;
  return didNoWork.has((error.cause as { kind?: unknown } | undefined)?.kind);
}

/** What `auto` chooses by. */
type AutoChoice = Pick<UpstreamContext, 'providers' | 'latencies' | 'random'> & {
  settings: Pick<Settings, 'auto_routing'>;
};

/** The most that the request can cost with a provider. Throws if the provider cannot serve it. */
type PriceOf = (chosen: ReadyProvider) => number;

function autoOrder(
  context: AutoChoice,
  tool: Tool,
  order: readonly ProviderId[],
  priceOf: PriceOf,
): readonly ProviderId[] {
  const { kind } = context.settings.auto_routing[tool];
  if (kind === 'order') return order;
  return routed(context, tool, order, priceOf).map(({ id }) => id);
}

/** The current order, with the reason for each position. */
export function explainOrder(
  context: AutoChoice,
  tool: Tool,
  fixed: readonly ProviderId[],
  priceOf: PriceOf,
): AutoOrder {
  const { kind } = context.settings.auto_routing[tool];
  const order = routed(context, tool, fixed, priceOf);
  // The order is random for every request, so here the provider with the largest weight comes
  // first.
  const ordered =
    kind === 'weighted'
      ? order.toSorted((one, other) => (other.weight ?? 0) - (one.weight ?? 0))
      : order;
  return {
    routing: kind,
    order: ordered.map((one) => ({ provider: one.id, reason: reasonOf(kind, one) })),
  };
}

function routed(
  { providers, latencies, random = () => 0, settings }: AutoChoice,
  tool: Tool,
  order: readonly ProviderId[],
  priceOf: PriceOf,
): Candidate[] {
  const { kind, weights } = settings.auto_routing[tool];
  const candidates = order.flatMap((id): Candidate[] => {
    const chosen = providers[id];
    if (!isReady(chosen)) return [];
    if (kind === 'cheapest') return [{ id, price: priceIfAble(chosen, priceOf) }];
    if (kind === 'fastest') return [{ id, measured: latencies?.measured(toolNameOf[tool], id) }];
    return [{ id, weight: weights[id] }];
  });
  return routeCandidates(kind, candidates, random);
}

/** A provider that cannot serve the request comes last, where it refuses with its reason. */
export function priceIfAble(chosen: ReadyProvider, priceOf: PriceOf): number | undefined {
  try {
    return priceOf(chosen);
  } catch {
    return undefined;
  }
}

function reasonOf(kind: Routing, { price, measured, weight }: Candidate): string {
  switch (kind) {
    case 'order':
    case 'quality':
      return 'its place in the fixed order';
    case 'cheapest':
      return price === undefined
        ? 'it cannot serve a plain request'
        : `a plain request costs at most ${usd(price)} USD`;
    case 'fastest':
      return isMeasured(measured)
        ? `half of its latest ${measured.answers} answers took at most ${measured.p50_ms} ms`
        : 'it has too few recent answers, so it is tried first';
    case 'weighted':
      return `its weight is ${weight ?? 0}`;
  }
}

const toolNameOf: Readonly<Record<Tool, ToolName>> = {
  search: 'search',
  extract: 'extract',
  transcribe: 'transcription',
};
