// What ends a failed request is repeated while the store is unavailable.
import { expect, test } from 'bun:test';
import { makeLog } from '../platform/log.ts';
import { longestRequestMs } from '../platform/time-limits.ts';
import { storeUnavailable } from '../platform/store-trouble.ts';
import { orLater } from './idempotency.ts';

/** Time passes only in `sleep`. */
function makeContext() {
  let now = 0;
  const clock = {
    now: () => new Date(now),
    ticks: () => now,
    sleep: (ms: number) => {
      now += ms;
      return Promise.resolve();
    },
  };
  return { context: { clock, log: makeLog('silent') }, elapsedMs: () => now };
}

async function attemptsOf(fail: (attempt: number) => Error | undefined) {
  const { context, elapsedMs } = makeContext();
  let attempts = 0;
  await orLater(context, 'it failed', () => {
    attempts += 1;
    const error = fail(attempts);
    return error ? Promise.reject(error) : Promise.resolve();
  });
  await Bun.sleep(1);
  return { attempts, elapsedMs: elapsedMs() };
}

test('what works at once is done once', async () => {
  expect(await attemptsOf(() => undefined)).toEqual({ attempts: 1, elapsedMs: 0 });
});

test('it is repeated until the store is available again', async () => {
  const fail = (attempt: number) => (attempt < 4 ? storeUnavailable() : undefined);
  expect(await attemptsOf(fail)).toEqual({ attempts: 4, elapsedMs: 1750 });
});

test('it ends with the longest request, and at once if the store is not the cause', async () => {
  const { elapsedMs } = await attemptsOf(() => storeUnavailable());
  expect(elapsedMs).toBeGreaterThan(longestRequestMs - 5000);
  expect(elapsedMs).toBeLessThan(longestRequestMs + 5000);
  expect((await attemptsOf(() => new Error('a fault'))).attempts).toBe(1);
});
