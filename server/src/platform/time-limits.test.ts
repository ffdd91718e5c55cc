// Walks the extremes of every setting and of every limit that a caller may set: no cover ends
// before what it covers.
import { expect, test } from 'bun:test';
import { ExtractRequest, FusionOptions } from '@trivium/contract';
import { readSettings } from '../settings/settings.ts';
import {
  callsMs,
  commitAttemptMs,
  deliveryAttemptMs,
  deliveryLeaseMs,
  jobLeaseMs,
  renewLeaseMs,
  commitLimitMs,
  fusionTries,
  longestRequestMs,
  maxProviders,
  maxSideBySide,
  recallLimitMs,
  roomMs,
  stopLimitMs,
  timeForExtract,
  timeForFusion,
  timeForSearch,
  timeInTurn,
  timeWithWait,
  unheldClaimMs,
} from './time-limits.ts';
import type { TimeLimits } from './time-limits.ts';

/** The smallest and the largest value that a setting takes. */
function extremes(isTaken: (value: number) => boolean): [number, number] {
  const accepted = [0, 1, 499, 500, 999, 1000, 30_000, 30_001, 60_000, 60_001, 90_000, 90_001]
    .filter(isTaken)
    .toSorted((one, other) => one - other);
  const [low = Number.NaN, high = Number.NaN] = [accepted[0], accepted.at(-1)];
  // Otherwise the value is not the largest.
  expect([isTaken(low - 1), isTaken(high + 1)]).toEqual([false, false]);
  return [low, high];
}

const queues = extremes((ms) => {
  try {
    return readSettings({ TRIVIUM_PROVIDER_QUEUE_MS: String(ms) }, []).provider_queue_ms === ms;
  } catch {
    return false;
  }
});
const panels = extremes((ms) => FusionOptions.safeParse({ timeout_ms: ms }).success);
const pagesWith = (more: object, count = 1) => ({
  urls: Array.from({ length: count }, (_, at) => `https://example.org/${at}`),
  ...more,
});
const pageLimits = extremes(
  (ms) => ExtractRequest.safeParse(pagesWith({ timeout_ms: ms })).success,
);
const maxPages = 20;

const times: TimeLimits[] = queues
  .flatMap((queueMs) => [
    timeForSearch(queueMs),
    ...panels.map((ms) => timeForFusion(queueMs, ms)),
    ...[undefined, ...pageLimits].flatMap((ms) =>
      [0, 1, maxPages].map((calls) => timeForExtract(queueMs, ms, calls)),
    ),
  ])
  .flatMap((time) => [
    time,
    timeInTurn(
      time,
      Array.from({ length: maxProviders - 1 }, () => time),
    ),
  ])
  .flatMap((time) => [time, timeWithWait(time)]);

const commitMs = commitLimitMs + commitAttemptMs;

test('the hold of every request covers its commits, its wait, its queue and its calls', () => {
  for (const time of times) {
    const { attempts, queueMs, vendorMs, waitMs, sumMs } = time;
    // As the requests run: a hold is tried twice, with a recall in between; each call waits first.
    const held = 2 * commitMs + recallLimitMs;
    const calls = attempts * (queueMs + vendorMs) + roomMs;
    expect(sumMs).toBeGreaterThan(held + waitMs + calls + commitMs);
    expect(callsMs(time)).toBe(attempts * (queueMs + vendorMs));
    expect(sumMs).toBeLessThanOrEqual(longestRequestMs);
    expect(Number.isSafeInteger(sumMs)).toBe(true);
  }
  expect(Math.max(...times.map(({ sumMs }) => sumMs))).toBe(longestRequestMs);
});

test('a wait for another caller lasts as long as the own calls', () => {
  for (const time of times) {
    expect(timeWithWait(time)).toMatchObject({ waitMs: callsMs(time) });
    expect(timeWithWait(time).sumMs).toBe(time.sumMs - time.waitMs + callsMs(time));
  }
});

test('pages are read side by side, and each may need a second call', () => {
  const rounds = [1, maxSideBySide, maxSideBySide + 1, maxPages].map(
    (calls) => timeForExtract(0, undefined, calls).attempts,
  );
  expect(rounds).toEqual([2, 2, 4, 8]);
  expect(timeForFusion(0, 500).attempts).toBe(fusionTries);
  const isTaken = (count: number) => ExtractRequest.safeParse(pagesWith({}, count)).success;
  expect([isTaken(maxPages), isTaken(maxPages + 1)]).toEqual([true, false]);
});

test('the lease of a job covers a late renewal, and that of a delivery its commit', () => {
  expect(jobLeaseMs).toBeGreaterThan(renewLeaseMs + commitAttemptMs);
  expect(deliveryLeaseMs).toBeGreaterThanOrEqual(deliveryAttemptMs + commitAttemptMs);
});

test('a claim covers the time until its hold, and a stop covers a search', () => {
  for (const queueMs of queues) {
    const { vendorMs } = timeForSearch(queueMs);
    expect(unheldClaimMs).toBeGreaterThan(3 * commitMs + recallLimitMs);
    expect(stopLimitMs(queueMs)).toBeGreaterThanOrEqual(queueMs + vendorMs + commitMs);
  }
});
