// All callers: each acts for itself and remembers what it asked and what it was answered.
import { applications, returnOfApplications } from './applications.ts';
import { begin, insist, keyed } from './asking.ts';
import type { Caller, Tenant, Turn, Operation } from './caller.ts';
import { hostile } from './hostile.ts';
import { operators } from './operators.ts';
import { answeredTry } from './requests.ts';
import { spenders } from './spenders.ts';
import { searchers } from './searchers.ts';
import { transcribers } from './transcribers.ts';
import type { CallerKind, Plan } from '../plan.ts';
import type { World } from '../world.ts';

const turns: Readonly<Record<Exclude<CallerKind, 'returning'>, Turn>> = {
  ...{ ...searchers, ...transcribers, ...operators, ...spenders, ...applications },
  hostile,
};

/** Starts all callers of the plan; each ends its last operation after `isOver`. */
export function startCallers(
  world: World,
  plan: Plan,
  tenants: readonly Tenant[],
  operations: Operation[],
  isOver: () => boolean,
): { running: () => number } {
  let running = 0;
  for (const [at, kind] of plan.callers.entries()) {
    const life = world.makeLife(`${kind} ${at}`);
    const isThird = at % 6 === 5 && !plan.hasShadows;
    const account = at % 3 === 2 ? (isThird ? 2 : 1) : 0;
    const caller = {
      world,
      life,
      kind,
      at,
      account,
      tenant: tenants[account] as Tenant,
      operations,
      isOver,
    };
    running += 1;
    world.scheduler.after(world.random() * 1000, life, () => {
      void act(caller).finally(() => {
        running -= 1;
      });
    });
  }
  return { running: () => running };
}

/** How many answers of each account are asked for again. */
const replays = 3;

/**
 * After an idle time one caller of each account asks again for what was answered before, if it is still
 * stored, then for something new, and reads the balance, in which nothing is held.
 */
export function startReturning(
  world: World,
  tenants: readonly Tenant[],
  operations: Operation[],
  isStored: boolean,
): { running: () => number } {
  let running = tenants.length;
  for (const [account, tenant] of tenants.entries()) {
    const life = world.makeLife(`returning ${account}`);
    const caller: Caller = {
      ...{ world, life, kind: 'returning', at: account, account, tenant, operations },
      isOver: () => true,
    };
    const work = async () => {
      const answered = operations.filter(
        (one) => one.account === account && one.key !== undefined && answeredTry(one),
      );
      for (const operation of isStored ? answered.slice(0, replays) : [])
        await insist(caller, operation);
      await insist(caller, keyed(begin(caller, 'search')));
      await returnOfApplications(caller);
      await turns.reader(caller);
    };
    world.scheduler.after(0, life, () => {
      void work().finally(() => {
        running -= 1;
      });
    });
  }
  return { running: () => running };
}

async function act(caller: Caller): Promise<void> {
  const { world, life, kind } = caller;
  while (!caller.isOver()) {
    if (kind !== 'returning') await turns[kind](caller);
    // Some come in bursts, some take their time.
    const pauseMs = world.random() < 0.3 ? world.random() * 20 : world.random() * 3000;
    await world.sleep(life, kind === 'occupier' ? 5 : pauseMs);
  }
}
