// The concurrency limit: how many calls run, how many wait, and for how long.
import { expect, test } from 'bun:test';
import { systemClock } from './clock.ts';
import { makeConcurrencyLimiter } from './concurrency-limiter.ts';

const patient = { maxRunning: 1, maxWaiting: 2, maxWaitMs: 60_000 };

test('runs as many as allowed, and passes a slot on in order of arrival', async () => {
  const limiter = makeConcurrencyLimiter(patient, systemClock);
  expect(limiter.enter()).toBe(true);
  const order: string[] = [];
  const first = Promise.resolve(limiter.enter()).then((passed) => order.push(`first ${passed}`));
  const second = Promise.resolve(limiter.enter()).then((passed) => order.push(`second ${passed}`));
  expect(limiter.waiting()).toBe(2);
  limiter.leave();
  await first;
  limiter.leave();
  await second;
  expect(order).toEqual(['first true', 'second true']);
  expect(limiter.running()).toBe(1);
  limiter.leave();
  expect(limiter.running()).toBe(0);
});

test('refuses a call at once when the queue is full', () => {
  const limiter = makeConcurrencyLimiter({ ...patient, maxWaiting: 0 }, systemClock);
  expect(limiter.enter()).toBe(true);
  expect(limiter.enter()).toBe(false);
});

test('refuses a call that waited too long, and loses no slot', async () => {
  const limiter = makeConcurrencyLimiter({ ...patient, maxWaitMs: 1 }, systemClock);
  expect(limiter.enter()).toBe(true);
  expect(await limiter.enter()).toBe(false);
  expect(limiter.waiting()).toBe(0);
  limiter.leave();
  expect(limiter.enter()).toBe(true);
});

test('removes a caller that disconnects from the queue', async () => {
  const limiter = makeConcurrencyLimiter(patient, systemClock);
  expect(limiter.enter()).toBe(true);
  const caller = new AbortController();
  const waiting = limiter.enter(caller.signal);
  caller.abort();
  expect(await waiting).toBe(false);
  expect(limiter.waiting()).toBe(0);
});
