// Failover, where the operator wants it: `auto` goes on to the next provider when one certainly did
// no work.
import { GatewayError } from '@trivium/contract';
import type { ProviderId } from '@trivium/contract';
import { greatestOf } from '../domain/amount.ts';
import type { RefusalKind } from '../domain/refusal.ts';
import type { Work } from './charge.ts';
import { chooseProvider, readyInOrder } from './choose-provider.ts';
import type { Chosen, Tool } from './choose-provider.ts';
import type { Asking, House } from './house.ts';

/** How many providers one request may try. */
const most_tries = 3;

/** Prepares the work of the one provider that serves, or of all that may have to. */
export function prepareChosen(
  house: House,
  tool: Tool,
  asked: ProviderId | 'auto',
  order: readonly ProviderId[],
  asking: Asking,
  prepare: (chosen: Chosen) => Work,
): Work {
  const first = prepare(chooseProvider(house.stations, tool, asked, order));
  if (asked !== 'auto' || !house.settings.failover) return first;
  const others = readyInOrder(house.stations, order).slice(1, most_tries);
  return inTurn([first, ...others.flatMap((chosen) => prepareIfAble(chosen, prepare))], asking);
}

/** A provider that cannot honour a strict request is no substitute. */
function prepareIfAble(chosen: Chosen, prepare: (chosen: Chosen) => Work): Work[] {
  try {
    return [prepare(chosen)];
  } catch (error) {
    if (error instanceof GatewayError && error.type === 'invalid_request') return [];
    throw error;
  }
}

/** The hold covers whoever serves, and the answer names who did. */
function inTurn(works: readonly [Work, ...Work[]], asking: Asking): Work {
  return {
    ...works[0],
    calls: works.flatMap(({ calls }) => calls),
    maxCost: greatestOf(works.map(({ maxCost }) => maxCost)),
    lasts_ms: works.reduce((sum, { lasts_ms }) => sum + lasts_ms, 0),
    perform: async () => {
      for (const work of works.slice(0, -1)) {
        asking.seen.provider = work.provider;
        try {
          return await work.perform();
        } catch (error) {
          if (!mayGoOn(error) || asking.signal?.aborted) throw error;
        }
      }
      const last = works.at(-1) ?? works[0];
      asking.seen.provider = last.provider;
      return last.perform();
    },
  };
}

/** After these, it is certain that the provider did no work it could charge for. */
const did_no_work: ReadonlySet<unknown> = new Set<RefusalKind>([
  'rate_limited',
  'unauthorized',
  'out_of_credit',
  'unavailable',
  'unreachable',
  'overloaded',
]);

function mayGoOn(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  return did_no_work.has((error.cause as { kind?: unknown } | undefined)?.kind);
}
