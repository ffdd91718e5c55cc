// Chooses the provider of a request: the one that is named, or the first configured and healthy one
// in the operator's order. With failover, `auto` uses the next one if a provider certainly did no
// work and, if the operator wants it, also if a provider found nothing.
import type { ProviderId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { isAvailable } from './guard.ts';
import type { ConfiguredProvider, ConfiguredProviders } from './configured-providers.ts';
import { type Amount, greatestOf } from '../billing/core/index.ts';
import type { RefusalKind } from './core/refusal.ts';
import { type Done, maxCostOfAll, policyCeiling, sumOfCosts, type Work } from '../billing/index.ts';
import type { RequestContext } from '../requests/index.ts';
import type { ToolContext } from './context.ts';
import { maxProviders, timeInTurn } from '../platform/time-limits.ts';

/** A configured provider that can be called. */
export type ReadyProvider = ConfiguredProvider & {
  upstream: NonNullable<ConfiguredProvider['upstream']>;
};

/** The products a provider may have. */
export type Tool = 'search' | 'extract' | 'transcribe';

/** The providers of one request, in the order in which they are asked. */
export type InTurn = readonly [ReadyProvider, ...ReadyProvider[]];

/**
 * The chosen provider first; `auto` has others. A request calls this once, because circuits open
 * and close while it waits.
 */
export function providersInTurn(
  providers: ConfiguredProviders,
  tool: Tool,
  asked: ProviderId | 'auto',
  order: readonly ProviderId[],
  accountId = '',
): InTurn {
  if (asked !== 'auto') return [named(providers, tool, asked)];
  const [first, ...others] = readyInOrder(providers, order, accountId);
  if (first) return [first, ...others];
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
  accountId = '',
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

interface PlanInTurn {
  work: Work;
}

/**
 * Plans a request for its provider and, with failover, for those that may serve in its place. A
 * substitute that cannot honour a strict request is left out. If the first provider refuses, the
 * caller gets that refusal.
 */
export function planInTurn<Plan extends PlanInTurn, Args extends unknown[]>(
  context: Pick<ToolContext, 'settings'>,
  requestContext: RequestContext,
  [first, ...rest]: InTurn,
  planOne: (chosen: ReadyProvider, ...args: Args) => Plan,
  ...args: Args
): { work: Work; plans: readonly Plan[] } {
  const plan = planOne(first, ...args);
  const plans = [plan];
  const others = context.settings.failover === 'off' ? [] : rest.slice(0, maxProviders - 1);
  // All of them may be paid if they find nothing.
  const most =
    others.length > 0 && context.settings.failover === 'empty'
      ? ceilingFor(context, requestContext)
      : undefined;
  for (const other of others) {
    try {
      const next = planOne(other, ...args);
      if (most) maxCostOfAll(most, costsOf([...plans, next]), 'provider');
      plans.push(next);
    } catch (error) {
      if (!(error instanceof GatewayError) || error.type !== 'invalid_request') throw error;
    }
  }
  if (plans.length === 1) return { work: plan.work, plans };
  const costs = costsOf(plans);
  const maxCost = most ? maxCostOfAll(most, costs, 'provider') : greatestOf(costs);
  return { work: workOf(plan.work, plans, maxCost), plans };
}

function costsOf(plans: readonly PlanInTurn[]): Amount[] {
  return plans.map(({ work }) => work.maxCost);
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

/** The answer names the provider that served it. */
function workOf(first: Work, plans: readonly PlanInTurn[], maxCost: Amount): Work {
  const works = plans.map(({ work }) => work);
  return {
    provider: first.provider,
    calls: works.flatMap(({ calls }) => calls),
    maxCost,
    time: timeInTurn(
      first.time,
      works.slice(1).map(({ time }) => time),
    ),
  };
}

/**
 * Calls one provider after the other, until one serves or may have done work. With failover from
 * empty answers, the earlier ones are paid as well. If none finds anything, the answer of the first
 * one is returned.
 */
export async function performInTurn<Plan extends PlanInTurn, Args extends unknown[]>(
  { settings }: Pick<ToolContext, 'settings'>,
  { seen, signal }: RequestContext,
  plans: readonly Plan[],
  performOne: (plan: Plan, ...args: Args) => Promise<Done>,
  ...args: Args
): Promise<Done> {
  const last = plans.at(-1);
  const empty: Answer[] = [];
  for (const plan of plans) {
    const { provider } = plan.work;
    seen.provider = provider;
    try {
      const done = await performOne(plan, ...args);
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

/** True if a provider of this work is asked because another one found nothing. */
export function asksAfterEmpty(
  { settings }: Pick<ToolContext, 'settings'>,
  { provider, calls }: Work,
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
