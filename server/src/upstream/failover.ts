// Failover, where the operator enables it: `auto` goes on to the next provider when one certainly
// did no work.
import { GatewayError } from '@trivium/contract';
import type { ProviderId } from '@trivium/contract';
import { greatestOf } from '../billing/core/index.ts';
import type { RefusalKind } from './core/refusal.ts';
import type { RequestContext, Work } from '../billing/index.ts';
import { chooseProvider, readyInOrder } from './choose-provider.ts';
import type { ReadyProvider, Tool } from './choose-provider.ts';
import type { ToolContext } from './context.ts';
import { maxProviders, timeInTurn } from '../platform/time-limits.ts';

/** Prepares the work of the chosen provider, or with failover of all that may serve. */
export function prepareChosen(
  context: Pick<ToolContext, 'providers' | 'settings'>,
  tool: Tool,
  asked: ProviderId | 'auto',
  order: readonly ProviderId[],
  requestContext: RequestContext,
  prepare: (chosen: ReadyProvider) => Work,
): Work {
  const { account_id } = requestContext.caller;
  const first = prepare(chooseProvider(context.providers, tool, asked, order, account_id));
  if (asked !== 'auto' || !context.settings.failover) return first;
  const others = readyInOrder(context.providers, order, account_id).slice(1, maxProviders);
  return inTurn(
    [first, ...others.flatMap((chosen) => prepareIfAble(chosen, prepare))],
    requestContext,
  );
}

/** A provider that cannot honour a strict request is no substitute. */
function prepareIfAble(chosen: ReadyProvider, prepare: (chosen: ReadyProvider) => Work): Work[] {
  try {
    return [prepare(chosen)];
  } catch (error) {
    if (error instanceof GatewayError && error.type === 'invalid_request') return [];
    throw error;
  }
}

/** The hold covers the most expensive provider, and the answer names the one that served. */
function inTurn(works: readonly [Work, ...Work[]], requestContext: RequestContext): Work {
  return {
    ...works[0],
    calls: works.flatMap(({ calls }) => calls),
    maxCost: greatestOf(works.map(({ maxCost }) => maxCost)),
    time: timeInTurn(
      works[0].time,
      works.slice(1).map(({ time }) => time),
    ),
    perform: async () => {
      for (const work of works.slice(0, -1)) {
        requestContext.seen.provider = work.provider;
        try {
          return await work.perform();
        } catch (error) {
          if (!mayGoOn(error) || requestContext.signal?.aborted) throw error;
        }
      }
      const last = works.at(-1) ?? works[0];
      requestContext.seen.provider = last.provider;
      return last.perform();
    },
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

function mayGoOn(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  return didNoWork.has((error.cause as { kind?: unknown } | undefined)?.kind);
}
