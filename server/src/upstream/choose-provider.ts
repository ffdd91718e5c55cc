// Chooses the provider of a request: the one that is named, or the first configured and healthy
// one in the operator's order. With failover, `auto` has the next one serve when one certainly did
// no work.
import type { ProviderId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { isAvailable } from './guard.ts';
import type { ConfiguredProvider, ConfiguredProviders } from './configured-providers.ts';
import { greatestOf } from '../billing/core/index.ts';
import type { RefusalKind } from './core/refusal.ts';
import type { Work } from '../billing/index.ts';
import type { RequestContext } from '../requests/index.ts';
import type { ToolContext } from './context.ts';
import { maxProviders, timeInTurn } from '../platform/time-limits.ts';

/** A configured provider that can be called. */
export type ReadyProvider = ConfiguredProvider & {
  upstream: NonNullable<ConfiguredProvider['upstream']>;
};

/** The products a provider may have. */
export type Tool = 'search' | 'extract' | 'transcribe';

export function chooseProvider(
  providers: ConfiguredProviders,
  tool: Tool,
  asked: ProviderId | 'auto',
  order: readonly ProviderId[],
  accountId = '',
): ReadyProvider {
  if (asked !== 'auto') return named(providers, tool, asked);
  const [first] = readyInOrder(providers, order, accountId);
  if (first) return first;
  throw new GatewayError(
    'provider_not_configured',
    'No provider for this tool is configured on this deployment. ' +
      'Set the credential of at least one, or run with TRIVIUM_SANDBOX=on.',
    { tried: order },
  );
}

/** The providers `auto` may choose, in order; those whose circuit is open for it come last. */
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
      `${id} is switched off on this deployment.`,
      { provider: id, configured },
      // The API documents a 501 only for search.
      tool === 'search' ? {} : { status: 503 },
    );
  }
  throw new GatewayError(
    'provider_not_configured',
    `${id} has no credential on this deployment. ` +
      `Set ${asked.provider.credential.env[0]}, or ask another provider.`,
    { provider: id, configured },
  );
}

/** The chosen provider first, and with failover those that may serve in its place. */
export function providersInTurn(
  { providers, settings }: Pick<ToolContext, 'providers' | 'settings'>,
  tool: Tool,
  asked: ProviderId | 'auto',
  order: readonly ProviderId[],
  accountId: string,
): [ReadyProvider, ...ReadyProvider[]] {
  const first = chooseProvider(providers, tool, asked, order, accountId);
  if (asked !== 'auto' || !settings.failover) return [first];
  return [first, ...readyInOrder(providers, order, accountId).slice(1, maxProviders)];
}

interface PlanInTurn {
  work: Work;
}

/**
 * Plans a request for each provider that may serve it. A substitute that cannot honour a strict
 * request is left out; the first provider's refusal is the caller's.
 */
export function planInTurn<Plan extends PlanInTurn, Args extends unknown[]>(
  [first, ...others]: readonly [ReadyProvider, ...ReadyProvider[]],
  planOne: (chosen: ReadyProvider, ...args: Args) => Plan,
  ...args: Args
): { work: Work; plans: readonly Plan[] } {
  const plan = planOne(first, ...args);
  const plans = [plan];
  for (const other of others) {
    try {
      plans.push(planOne(other, ...args));
    } catch (error) {
      if (!(error instanceof GatewayError) || error.type !== 'invalid_request') throw error;
    }
  }
  return { work: plans.length === 1 ? plan.work : workOf(plan.work, plans), plans };
}

/** The hold covers the most expensive provider, and the answer names the one that served. */
function workOf(first: Work, plans: readonly PlanInTurn[]): Work {
  const works = plans.map(({ work }) => work);
  return {
    provider: first.provider,
    calls: works.flatMap(({ calls }) => calls),
    maxCost: greatestOf(works.map(({ maxCost }) => maxCost)),
    time: timeInTurn(
      first.time,
      works.slice(1).map(({ time }) => time),
    ),
  };
}

/** Calls one provider after the other, until one serves or may have done work. */
export async function performInTurn<Plan extends PlanInTurn, Done, Args extends unknown[]>(
  { seen, signal }: RequestContext,
  plans: readonly Plan[],
  performOne: (plan: Plan, ...args: Args) => Promise<Done>,
  ...args: Args
): Promise<Done> {
  const last = plans.at(-1);
  for (const plan of plans) {
    seen.provider = plan.work.provider;
    try {
      return await performOne(plan, ...args);
    } catch (error) {
      if (plan === last || !mayTryNext(error, signal)) throw error;
    }
  }
  throw new Error('a request was planned without a provider');
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

/** Whether the next provider may be called after this error. */
function mayTryNext(error: unknown, signal: AbortSignal | undefined): boolean {
  if (!(error instanceof GatewayError) || signal?.aborted) return false;
  return didNoWork.has((error.cause as { kind?: unknown } | undefined)?.kind);
}
