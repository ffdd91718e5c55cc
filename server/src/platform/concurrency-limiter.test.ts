// The concurrency limit: how many calls run, how many wait, and for how long.
import { expect, test } from 'bun:test';
import { systemClock } from './clock.ts';
import { makeConcurrencyLimiter, makeOwnerLimiter, runLimited } from './concurrency-limiter.ts';
import { readLimits } from './limit-gauges.ts';

const patient = { maxRunning: 1, maxWaiting: 2, maxWaitMs: 60_000 };

test('runs as many as allowed, and passes a slot on in order of arrival', async () => {
  const limiter = makeConcurrencyLimiter(patient, systemClock);
  expect(limiter.enter('a')).toBe(true);
  const order: string[] = [];
  const first = Promise.resolve(limiter.enter('a')).then((passed) => order.push(`first ${passed}`));
  const second = Promise.resolve(limiter.enter('a')).then((passed) =>
    order.push(`second ${passed}`),
  );
  expect(limiter.waiting()).toBe(2);
  limiter.leave('a');
  await first;
  limiter.leave('a');
  await second;
  expect(order).toEqual(['first true', 'second true']);
  expect(limiter.running()).toBe(1);
  limiter.leave('a');
  expect(limiter.running()).toBe(0);
});

test('refuses a call at once when the queue is full', () => {
  const limiter = makeConcurrencyLimiter({ ...patient, maxWaiting: 0 }, systemClock);
  expect(limiter.enter('a')).toBe(true);
  expect(limiter.enter('a')).toBe(false);
});

test('refuses a call that waited too long, and loses no slot', async () => {
  const limiter = makeConcurrencyLimiter({ ...patient, maxWaitMs: 1 }, systemClock);
  expect(limiter.enter('a')).toBe(true);
  expect(await limiter.enter('a')).toBe(false);
  expect(limiter.waiting()).toBe(0);
  limiter.leave('a');
  expect(limiter.enter('a')).toBe(true);
});

test('removes a caller that disconnects from the queue', async () => {
  const limiter = makeConcurrencyLimiter(patient, systemClock);
  expect(limiter.enter('a')).toBe(true);
  const caller = new AbortController();
  const waiting = limiter.enter('a', caller.signal);
  caller.abort();
  expect(await waiting).toBe(false);
  expect(limiter.waiting()).toBe(0);
});

const places = { maxRunning: 8, maxWaiting: 4, maxWaitMs: 60_000 };
const enterOften = (
  limiter: ReturnType<typeof makeConcurrencyLimiter>,
  owner: string,
  count: number,
) => Array.from({ length: count }, () => limiter.enter(owner));

test('one owner leaves an eighth of the places to others', () => {
  const limiter = makeConcurrencyLimiter({ ...places, maxWaiting: 0 }, systemClock);
  expect(enterOften(limiter, 'greedy', 9)).toEqual([...Array(7).fill(true), false, false]);
  expect(limiter.enter('honest')).toBe(true);
  limiter.leave('honest');
  limiter.leave('greedy');
  expect(limiter.enter('greedy')).toBe(true);
});

test('a single place or two are shared without a reserve', () => {
  for (const maxRunning of [1, 2, 7]) {
    const limiter = makeConcurrencyLimiter({ ...places, maxRunning, maxWaiting: 0 }, systemClock);
    expect(enterOften(limiter, 'a', maxRunning)).not.toContain(false);
  }
});

test('those who wait take turns between owners', async () => {
  const limiter = makeConcurrencyLimiter({ ...places, maxRunning: 1 }, systemClock);
  expect(limiter.enter('greedy')).toBe(true);
  const order: string[] = [];
  const wait = (owner: string) =>
    Promise.resolve(limiter.enter(owner)).then((entered) => entered && order.push(owner));
  const all = ['greedy', 'greedy', 'greedy', 'honest'].map(wait);
  for (const owner of ['greedy', 'greedy', 'honest', 'greedy', 'greedy']) {
    limiter.leave(owner);
    await Promise.resolve();
    await Promise.resolve();
  }
  await Promise.all(all);
  expect(order).toEqual(['greedy', 'honest', 'greedy', 'greedy']);
  expect([limiter.running(), limiter.waiting()]).toEqual([0, 0]);
});

test('a full queue makes room for an owner who has fewer in it', async () => {
  const limiter = makeConcurrencyLimiter({ ...places, maxRunning: 1 }, systemClock);
  expect(limiter.enter('greedy')).toBe(true);
  const greedy = enterOften(limiter, 'greedy', 4);
  expect(limiter.enter('greedy')).toBe(false);
  const honest = limiter.enter('honest');
  expect(honest).toBeInstanceOf(Promise);
  // The newest call of the other is refused.
  expect(await greedy.at(-1)).toBe(false);
  expect(limiter.waiting()).toBe(4);
  limiter.leave('greedy');
  expect(await greedy[0]).toBe(true);
  limiter.leave('greedy');
  expect(await honest).toBe(true);
});

test('no sequence of calls loses a place or a turn', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const limiter = makeConcurrencyLimiter({ ...places, maxWaiting: 20 }, systemClock);
  const running: string[] = [];
  for (let step = 0; step < 3000; step += 1) {
    const owner = `account ${random(4)}`;
    if (random(2) === 0) {
      void Promise.resolve(limiter.enter(owner)).then((entered) => entered && running.push(owner));
    } else if (running.length > 0) {
      limiter.leave(running.splice(random(running.length), 1)[0] ?? '');
    }
    await Promise.resolve();
    await Promise.resolve();
    expect(limiter.running()).toBe(running.length);
    expect(limiter.running()).toBeLessThanOrEqual(8);
    expect(limiter.waiting()).toBeLessThanOrEqual(20);
  }
  for (let left = 1000; running.length > 0 && left > 0; left -= 1) {
    limiter.leave(running.pop() ?? '');
    await Promise.resolve();
    await Promise.resolve();
  }
  expect([limiter.running(), limiter.waiting()]).toEqual([0, 0]);
});

test('a limit of each owner alone refuses at once, and shows in the metrics', async () => {
  const limiter = makeOwnerLimiter('test_of_owners', 2);
  const never = Promise.withResolvers<void>();
  const run = (owner: string) =>
    runLimited(
      limiter,
      owner,
      () => new Error('too many'),
      () => never.promise,
    );
  const running = [run('a'), run('a'), run('constructor')];
  expect(run('a')).rejects.toThrow('too many');
  const labels = { limit: 'test_of_owners', state: 'running' };
  expect(readLimits()).toContainEqual({ labels, value: 3 });
  never.resolve();
  await Promise.all(running);
  expect(limiter.running()).toBe(0);
});
