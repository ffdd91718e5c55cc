// Failover, where the operator enables it: `auto` goes on to the next provider when one certainly
// did no work.
import { GatewayError } from '@trivium/contract';
import type { ProviderId } from '@trivium/contract';
import { greatestOf } from '../billing/core/index.ts';
import type { RefusalKind } from './core/refusal.ts';
import type { Work } from '../billing/index.ts';
import { chooseProvider, readyInOrder } from './choose-provider.ts';
import type { ReadyProvider, Tool } from './choose-provider.ts';
import type { ToolContext } from './context.ts';
import { maxProviders, timeInTurn } from '../platform/time-limits.ts';

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
