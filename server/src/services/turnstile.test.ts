// The turnstile: how many pass, how many wait, and that nobody waits for ever.
import { expect, test } from 'bun:test';
import { system_clock } from '../platform/clock.ts';
import { makeTurnstile } from './turnstile.ts';

const patient = { most_running: 1, most_waiting: 2, longest_wait_ms: 60_000 };

test('lets as many through as it may, and hands a place on in the order of arrival', async () => {
  const turnstile = makeTurnstile(patient, system_clock);
  expect(turnstile.enter()).toBe(true);
  const order: string[] = [];
  const first = Promise.resolve(turnstile.enter()).then((passed) => order.push(`first ${passed}`));
  const second = Promise.resolve(turnstile.enter()).then((passed) =>
    order.push(`second ${passed}`),
  );
  expect(turnstile.waiting()).toBe(2);
  turnstile.leave();
  await first;
  turnstile.leave();
  await second;
  expect(order).toEqual(['first true', 'second true']);
  expect(turnstile.running()).toBe(1);
  turnstile.leave();
  expect(turnstile.running()).toBe(0);
});

test('turns away at once whoever comes when the queue is full', () => {
  const turnstile = makeTurnstile({ ...patient, most_waiting: 0 }, system_clock);
  expect(turnstile.enter()).toBe(true);
  expect(turnstile.enter()).toBe(false);
});

test('turns away whoever waited too long, and loses no place by it', async () => {
  const turnstile = makeTurnstile({ ...patient, longest_wait_ms: 1 }, system_clock);
  expect(turnstile.enter()).toBe(true);
  expect(await turnstile.enter()).toBe(false);
  expect(turnstile.waiting()).toBe(0);
  turnstile.leave();
  expect(turnstile.enter()).toBe(true);
});

test('forgets a caller who went away', async () => {
  const turnstile = makeTurnstile(patient, system_clock);
  expect(turnstile.enter()).toBe(true);
  const caller = new AbortController();
  const waiting = turnstile.enter(caller.signal);
  caller.abort();
  expect(await waiting).toBe(false);
  expect(turnstile.waiting()).toBe(0);
});
