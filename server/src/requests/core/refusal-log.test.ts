// The bound on logged refusals.
import { expect, test } from 'bun:test';
import { maxRows, rowsPerMinute, takeRow, type LogAllowance } from './rate-limit.ts';

const minuteMs = 60_000;

/** How many of these refusals are logged. */
function logged(times: readonly number[], from?: LogAllowance): number {
  let allowance = from;
  let count = 0;
  for (const now of times) {
    const after = takeRow(allowance, now);
    if (!after) continue;
    allowance = after;
    count += 1;
  }
  return count;
}

const evenly = (count: number, overMs: number) =>
  Array.from({ length: count }, (_, at) => (at * overMs) / count);

test('a flood is logged up to a bound', () => {
  expect(logged(evenly(10_000, 1))).toBe(maxRows);
});

test('in the long run, a bounded number is logged in each minute', () => {
  const hour = logged(evenly(100_000, 60 * minuteMs));
  expect(hour).toBeLessThanOrEqual(maxRows + 60 * rowsPerMinute);
  expect(hour).toBeGreaterThan(maxRows + 59 * rowsPerMinute);
});

test('rare refusals are all logged, and a clock that goes back adds nothing', () => {
  expect(logged(evenly(1000, 1000 * minuteMs))).toBe(1000);
  expect(takeRow({ rows: 0.5, at: minuteMs }, 0)).toBeUndefined();
});
