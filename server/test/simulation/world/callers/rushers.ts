// Callers of a rush: what `shared/rush.ts` has them do, with requests of their own.
import { ask, begin, insist, keyed } from './asking.ts';
import type { Caller, Turn } from './caller.ts';
import { requestOf } from './requests.ts';
import { burst, drain } from '../shared/rush.ts';

export const rushers = {
  rusher: (caller) => burst(inRush(caller)),
  drainer: (caller) => drain(inRush(caller)),
} satisfies Record<string, Turn>;

/** What those in a rush do. */
function inRush(caller: Caller): Parameters<typeof burst>[0] {
  const { world, life, isOver } = caller;
  return {
    ...{ world, life, isOver },
    spend: async (kind, patienceMs) => {
      const wish = begin(caller, kind);
      const patience = patienceMs === undefined ? {} : { patienceMs };
      await ask(caller, wish, { ...requestOf(caller, wish), ...patience });
    },
    readBalance: () => ask(caller, begin(caller, 'balance'), { path: '/v1/balance', key: '' }),
    move: async (kind, amount) => {
      const wish = keyed(begin(caller, kind));
      wish.amount = amount;
      await insist(caller, wish);
      return wish.tries.at(-1)?.answer;
    },
  };
}
