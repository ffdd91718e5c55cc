// The callers of load bursts: gateways take allowances for those who spend in bursts, and must return them
// when an operator takes the rest of the money away.
import type { Random } from '../../seeded-random.ts';
import type { Answer } from '../network.ts';
import type { Life } from '../scheduler.ts';
import type { World } from '../world.ts';

/** What a caller does here, on behalf of itself. */
interface Spender {
  world: World;
  life: Life;
  isOver: () => boolean;
  /** Sends one plain request, and waits for its answer. */
  spend: (kind: 'search' | 'extract', patienceMs?: number) => Promise<void>;
  readBalance: () => Promise<Answer>;
  /** Moves money until that is acknowledged or refused. */
  move: (kind: 'topup' | 'adjust', amount: number) => Promise<Answer | undefined>;
}

/** Several requests at once, again and again, whether or not earlier ones are answered. */
export async function burst({ world, life, isOver, spend }: Spender): Promise<void> {
  const { random, sleep } = world;
  const { send, allAnswered } = makeSender(world, spend);
  onReturn(world, life, isOver, () => send(1 + Math.floor(random() * 5)));
  while (!isOver()) {
    send(1 + Math.floor(random() * 5));
    await sleep(life, random() < 0.8 ? random() * 80 : random() * 2000);
  }
  await allAnswered();
}

/**
 * Spends until gateways have taken allowances, and asks for more than there is, so that they must
 * return them. For five seconds they get no other, which would cover what they spend meanwhile.
 */
export async function recall({ world, life, isOver, spend, move }: Spender): Promise<void> {
  const { sleep } = world;
  const { send, allAnswered } = makeSender(world, spend);
  onReturn(world, life, isOver, () => send(world.gateways.length));
  while (!isOver()) {
    for (let sent = 0; sent < 6 && !isOver(); sent += 1) {
      send(3);
      await sleep(life, 40);
    }
    await Promise.race([allAnswered(), sleep(life, 500)]);
    await move('adjust', -1_000_000_000);
    await sleep(life, 5000);
  }
  await allAnswered();
}

const mostAtOnce = 50;

function makeSender({ random }: World, spend: Spender['spend']) {
  const open = new Set<Promise<void>>();
  return {
    send: (count: number) => {
      for (let left = Math.min(count, mostAtOnce - open.size); left > 0; left -= 1) {
        const one = spendOnce(random, spend);
        open.add(one);
        void one.finally(() => open.delete(one));
      }
    },
    allAnswered: () => Promise.all(open),
  };
}

/** Some requests arrive at the very moment at which a gateway returns an allowance. */
function onReturn(
  { shared, scheduler }: World,
  life: Life,
  isOver: () => boolean,
  send: () => void,
) {
  shared?.returned.add(() => isOver() || scheduler.after(0, life, send));
}

/** Mostly what costs little, because gateways take an allowance for many requests. */
function spendOnce(random: Random, spend: Spender['spend']): Promise<void> {
  const kind = random() < 0.95 ? 'extract' : 'search';
  return random() < 0.05 ? spend(kind, random() * 300) : spend(kind);
}

/**
 * Takes nearly everything away, also what gateways have taken, and pays it in again. In between
 * gateways need time to take allowances: after a recall they get none for five seconds.
 */
export async function withdraw(spender: Spender): Promise<void> {
  const { world, life, move } = spender;
  const { random, sleep } = world;
  await sleep(life, 800 + random() * 2000);
  // What requests in progress hold cannot be taken; to ask for it makes gateways return the rest.
  const isAllTaken = await take(spender, true);
  for (let tries = 0; tries < 3 && !isAllTaken; tries += 1) if (await take(spender, false)) break;
  await sleep(life, random() * 3000);
  await move('topup', 1_000_000 + Math.floor(random() * 3_000_000));
  await sleep(life, 4500);
}

/** True once nearly all is taken, with or without what is held. */
async function take({ world, readBalance, move }: Spender, isWithHeld: boolean): Promise<boolean> {
  const read = await readBalance();
  if (read.kind !== 'answer' || read.status !== 200) return false;
  const { balance_usd: free = 0, held_usd: held = 0 } = read.body as Record<string, number>;
  const all = Math.round((free + (isWithHeld ? held : 0)) * 1_000_000);
  const left = Math.floor(world.random() * 4000);
  if (all <= left) return true;
  const moved = await move('adjust', left - all);
  return moved?.kind === 'answer' && moved.status === 201;
}
