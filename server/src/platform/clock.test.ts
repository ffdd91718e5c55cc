// Time limits: work that takes too long fails, and work that ends in time is not affected.
import { expect, test } from 'bun:test';
import { endLimit, shortenLimit, startAbortLimit, systemClock, withTimeLimit } from './clock.ts';

const late = () => new Error('late');
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: Error) => error.message,
  );
const never = new Promise<never>(() => undefined);

test('work that takes too long is rejected with the error of the limit', async () => {
  expect(await messageOf(withTimeLimit(never, 1, late))).toBe('late');
});

test('work that ends in time keeps its result or its error', async () => {
  expect(await withTimeLimit(Promise.resolve('done'), 60_000, late)).toBe('done');
  const failing = Promise.reject(new Error('own'));
  expect(await messageOf(withTimeLimit(failing, 60_000, late))).toBe('own');
});

test('what arrives while this process is busy is not late', async () => {
  const arrived = Promise.withResolvers<string>();
  setTimeout(() => setImmediate(() => arrived.resolve('an answer')), 1);
  const limited = withTimeLimit(arrived.promise, 1, late);
  for (const began = systemClock.ticks(); systemClock.ticks() - began < 10;);
  expect(await limited).toBe('an answer');
});

test('an abort limit aborts when it expires and names the limit that did', async () => {
  const limit = startAbortLimit(60_000);
  shortenLimit(limit, 1);
  await new Promise((done) => limit.controller.signal.addEventListener('abort', done));
  expect(limit.expiredMs).toBe(1);
  endLimit(limit);
});

test('an abort limit cannot be extended', async () => {
  const limit = startAbortLimit(1);
  shortenLimit(limit, 60_000);
  await new Promise((done) => limit.controller.signal.addEventListener('abort', done));
  expect(limit.expiredMs).toBe(1);
});

test('an abort limit that may be shortened lasts as long as it says otherwise', async () => {
  const began = performance.now();
  const limit = startAbortLimit(20, undefined, 1);
  await new Promise((done) => limit.controller.signal.addEventListener('abort', done));
  expect(performance.now() - began).toBeGreaterThanOrEqual(20);
  expect(limit.expiredMs).toBe(20);
});

test('an abort limit follows the caller until it ends', () => {
  const caller = new AbortController();
  const [followed, ended] = [1, 2].map(() => startAbortLimit(60_000, caller.signal));
  if (ended) endLimit(ended);
  caller.abort();
  expect([followed?.controller.signal.aborted, ended?.controller.signal.aborted]).toEqual([
    true,
    false,
  ]);
  expect(followed?.expiredMs).toBeUndefined();
  if (followed) endLimit(followed);
  expect(startAbortLimit(60_000, caller.signal).controller.signal.aborted).toBe(true);
});

test('a sleep ends at once when its signal aborts, also when it was aborted before', async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(60_000, controller.signal);
  controller.abort();
  expect(await messageOf(sleeping)).not.toBe('no error');
  expect(await messageOf(systemClock.sleep(60_000, controller.signal))).not.toBe('no error');
});
