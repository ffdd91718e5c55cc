// Callers of load bursts: what `shared/load-bursts.ts` has them do, with requests of their own.
import { ask, begin, insist, keyed } from './asking.ts';
import type { Caller, Turn } from './caller.ts';
import { requestOf } from './requests.ts';
import { burst, recall, withdraw } from '../shared/load-bursts.ts';

export const spenders = {
  spender: (caller) => burst(inBursts(caller)),
  recaller: (caller) => recall(inBursts(caller)),
  withdrawer: (caller) => withdraw(inBursts(caller)),
} satisfies Record<string, Turn>;

/** What those who spend do. */
function inBursts(caller: Caller): Parameters<typeof burst>[0] {
  const { world, life, isOver } = caller;
  return {
    ...{ world, life, isOver },
    spend: async (kind, patienceMs) => {
      const operation = begin(caller, kind);
      const patience = patienceMs === undefined ? {} : { patienceMs };
      await ask(caller, operation, { ...requestOf(caller, operation), ...patience });
    },
    readBalance: () => ask(caller, begin(caller, 'balance'), { path: '/v1/balance', key: '' }),
    move: async (kind, amount) => {
      const operation = keyed(begin(caller, kind));
      operation.amount = amount;
      await insist(caller, operation);
      return operation.tries.at(-1)?.answer;
    },
  };
}
