// Chooses the provider of a request: the one that is named, or the first configured and healthy one
// in the operator's order. With failover, `auto` uses the next one if a provider certainly did no
// work and, if the operator wants it, also if a provider found nothing.
import type { ProviderId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { isAvailable } from './guard.ts';
import type { ConfiguredProvider, ConfiguredProviders } from './configured-providers.ts';
import { type Amount, assertAmount, greatestOf } from '../billing/core/index.ts';
import type { RefusalKind } from './core/refusal.ts';
import {
  type CallPlan,
  type Done,
  maxCostOfAll,
  policyCeiling,
  sumOfCosts,
} from '../billing/index.ts';
import type { RequestContext } from '../requests/index.ts';
import type { Settings } from '../settings/index.ts';
import type { ToolContext } from './context.ts';
import { maxProviders, timeInTurn } from '../platform/time-limits.ts';

/** A configured provider that can be called. */
export type ReadyProvider = ConfiguredProvider & {
  upstream: NonNullable<ConfiguredProvider['upstream']>;
};

/** The products a provider may have. */
export type Tool = 'search' | 'extract' | 'transcribe';

interface ChoiceContext {
  providers: ConfiguredProviders;
  settings: Pick<Settings, 'failover'>;
}

/** The providers of one request, in the order in which they are asked. */
export type InTurn = readonly [ReadyProvider, ...ReadyProvider[]];

/**
 * The chosen provider first and, with failover, those that may serve in its place. A request calls
 * this once, because circuits open and close while it waits.
 */
export function providersInTurn(
  { providers, settings }: ChoiceContext,
  tool: Tool,
  asked: ProviderId | 'auto',
  order: readonly ProviderId[],
  accountId?: string,
): InTurn {
  if (asked !== 'auto') return [named(providers, tool, asked)];
  const [first, ...others] = readyInOrder(providers, order, accountId);
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

function named(providers: ConfiguredProviders, tool: Tool, id: ProviderId): ReadyProvider {
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

/**
 * The plan of the first provider, and those of its substitutes. One that cannot honour a strict
 * request, or would cost too much, is left out.
 */
export function planSubstitutes<P extends CallPlan>(
  context: Pick<ToolContext, 'settings'>,
  requestContext: RequestContext,
  first: P,
  substitutes: readonly ReadyProvider[],
  planOne: (chosen: ReadyProvider) => P,
): readonly [P, ...P[]] {
  const plans: [P, ...P[]] = [first];
  const most = paysAll(context) ? ceilingFor(context, requestContext) : undefined;
  for (const substitute of substitutes) {
    try {
      const next = planOne(substitute);
      if (most) maxCostOfAll(most, costsOf([...plans, next]), 'provider');
      plans.push(next);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.type !== 'invalid_request') throw error;
    }
  }
  return plans;
}

/** True if every provider that finds nothing is paid. */
function paysAll({ settings }: Pick<ToolContext, 'settings'>): boolean {
  return settings.failover === 'empty';
}

/** One plan for providers that are asked in turn. The answer names the one that served it. */
export function joinPlans(
  context: Pick<ToolContext, 'settings'>,
  plans: readonly [CallPlan, ...CallPlan[]],
): CallPlan {
  const [first, ...others] = plans;
  if (others.length === 0) return first;
  const costs = costsOf(plans);
  const time = timeInTurn(
    first.time,
    others.map((other) => other.time),
  );
  return {
    provider: first.provider,
    calls: plans.flatMap(({ calls }) => calls),
    maxCost: paysAll(context) ? sumOf(costs) : greatestOf(costs),
    time,
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
  { settings }: Pick<ToolContext, 'settings'>,
  { caller: { policy }, max_cost_usd }: RequestContext,
): { max_request_usd: number } {
  const { max_request_usd } = policyCeiling(settings, policy);
  const asked = max_cost_usd === undefined ? max_request_usd : Number(max_cost_usd);
  return { max_request_usd: Math.min(max_request_usd, asked) };
}

/**
 * Calls one provider after the other, until one serves or may have done work. With failover from
 * empty answers, the earlier ones are paid as well. If none finds anything, the answer of the first
 * one is returned.
 */
export async function performInTurn<P extends CallPlan>(
  { settings }: Pick<ToolContext, 'settings'>,
  { seen, signal }: RequestContext,
  plans: readonly P[],
  performOne: (plan: P) => Promise<Done>,
): Promise<Done> {
  const last = plans.at(-1);
  const empty: Answer[] = [];
  for (const plan of plans) {
    const { provider } = plan;
    seen.provider = provider;
    try {
      const done = await performOne(plan);
      if (done.delivered > 0 || plans.length === 1 || settings.failover !== 'empty') {
        return empty.length === 0 ? done : payAll(settings, { provider, done }, empty);
      }
      empty.push({ provider, done });
      if (signal?.aborted) break;
    } catch (error) {
      const mayContinue = plan !== last && mayTryNext(error, signal);
      if (!mayContinue && empty.length === 0) throw error;
      if (!mayContinue) break;
    }
  }
  const [first, ...others] = empty;
  if (first === undefined) throw new Error('a request was planned without a provider');
  seen.provider = first.provider;
  return others.length === 0 ? first.done : payAll(settings, first, others);
}

/** True if a provider of this plan is asked because another one found nothing. */
export function asksAfterEmpty(
  { settings }: Pick<ToolContext, 'settings'>,
  { provider, calls }: CallPlan,
): boolean {
  return settings.failover === 'empty' && provider !== 'fusion' && calls.length > 1;
}

interface Answer {
  provider: string;
  done: Done;
}

/** One answer, at the price of all answers that were given. */
function payAll(settings: ToolContext['settings'], served: Answer, others: Answer[]): Done {
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
