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

/** A provider that cannot honour a strict request is no substitute. */
export function planIfAble<Plan>(plan: () => Plan): Plan[] {
  try {
    return [plan()];
  } catch (error) {
    if (error instanceof GatewayError && error.type === 'invalid_request') return [];
    throw error;
  }
}

/** The hold covers the most expensive provider, and the answer names the one that served. */
export function workInTurn([first, ...others]: readonly [Work, ...Work[]]): Work {
  if (others.length === 0) return first;
  const works = [first, ...others];
  return {
    provider: first.provider,
    calls: works.flatMap(({ calls }) => calls),
    maxCost: greatestOf(works.map(({ maxCost }) => maxCost)),
    time: timeInTurn(
      first.time,
      others.map(({ time }) => time),
    ),
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

/** Whether the next provider may be called after this error. */
export function mayTryNext(error: unknown, signal: AbortSignal | undefined): boolean {
  if (!(error instanceof GatewayError) || signal?.aborted) return false;
  return didNoWork.has((error.cause as { kind?: unknown } | undefined)?.kind);
}
