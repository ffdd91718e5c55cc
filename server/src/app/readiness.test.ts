// Readiness: a probe that writes, is bounded in time, and cannot be used to load the store.
import { expect, test } from 'bun:test';
import { systemClock } from '../platform/clock.ts';
import type { Runner } from '../store/database.ts';
import { makeReadiness } from './readiness.ts';

function makeStore(run: () => Promise<unknown[]>) {
  let ticks = 0;
  let writes = 0;
  const runner: Runner = {
    run: async <T>() => {
      writes += 1;
      return (await run()) as T[];
    },
    lock: () => '',
  };
  const clock = { ...systemClock, ticks: () => ticks };
  return {
    readiness: makeReadiness(runner, clock),
    writes: () => writes,
    advance: (ms: number) => (ticks += ms),
  };
}

test('a thousand requests within a second cause one write', async () => {
  const store = makeStore(() => Promise.resolve([]));
  await Promise.all(Array.from({ length: 1000 }, () => store.readiness.check()));
  expect(store.writes()).toBe(1);
  store.advance(1001);
  await store.readiness.check();
  expect(store.writes()).toBe(2);
});

test('a store that refuses the write is a 503, and is probed again after a second', async () => {
  let full = true;
  const store = makeStore(() => (full ? Promise.reject(new Error('full')) : Promise.resolve([])));
  const refused = await store.readiness.check().catch((error: unknown) => error);
  expect(refused).toMatchObject({
    status: 503,
    message: expect.stringContaining('not accept writes'),
  });
  full = false;
  expect(await store.readiness.check().catch(() => 'still')).toBe('still');
  store.advance(1001);
  await store.readiness.check();
});

test('a store that hangs is a 503 in time, and collects no probes', async () => {
  const hanging = Promise.withResolvers<unknown[]>();
  const store = makeStore(() => hanging.promise);
  const first = store.readiness.check();
  store.advance(4001);
  for (const check of [first, store.readiness.check()]) {
    expect(await check.catch(messageOf)).toContain('not accept writes');
  }
  expect(store.writes()).toBe(1);
  hanging.resolve([]);
  await Bun.sleep(0);
  store.advance(1001);
  await store.readiness.check();
  expect(store.writes()).toBe(2);
});

test('a store that is slow for seconds is as ready as it was before', async () => {
  let answer = Promise.withResolvers<unknown[]>();
  const store = makeStore(() => answer.promise);
  const isReady = () =>
    store.readiness.check().then(
      () => true,
      () => false,
    );
  expect(await isReady()).toBe(true);
  answer.reject(new Error('full'));
  await Bun.sleep(0);
  answer = Promise.withResolvers<unknown[]>();
  store.advance(1001);
  expect(await isReady()).toBe(false);
  expect(store.writes()).toBe(2);
  answer.resolve([]);
});

test('once it has ended, it says why, without asking the store', async () => {
  const store = makeStore(() => Promise.resolve([]));
  store.readiness.end('The gateway is stopping.');
  const refused = await store.readiness.check().catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: expect.stringContaining('is stopping') });
  expect(store.writes()).toBe(0);
});

const messageOf = (error: unknown) => (error as Error).message;
