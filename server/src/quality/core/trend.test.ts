// Trends: real changes are found and placed, chance is not, and the past of an engine that became
// worse no longer carries it.
import { expect, test } from 'bun:test';
import { observe } from '../../../../bench/choice/observe.ts';
import { currentEvidence, emptyTally, findChanges, weeklyTrend } from './tally.ts';

let state = 99;
const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;

/** So many observations around a mean, from 0 to 1. */
function dayAround(day: number, mean: number, count: number) {
  let tally = emptyTally;
  for (let at = 0; at < count; at += 1) {
    tally = observe(tally, Math.min(1, Math.max(0, mean + (random() - 0.5) * 0.6)));
  }
  return { day, tally };
}

const days = (count: number, meanOf: (day: number) => number, each = 30) =>
  Array.from({ length: count }, (_, day) => dayAround(day, meanOf(day), each));

test('a change is found on its day, in any order of the days', () => {
  const changed = days(40, (day) => (day < 25 ? 0.7 : 0.5));
  for (const given of [changed, changed.toReversed()]) {
    const [change, ...more] = findChanges(given);
    expect(more).toEqual([]);
    expect(Math.abs((change?.day ?? 0) - 25)).toBeLessThanOrEqual(1);
    expect(change?.before).toBeCloseTo(0.7, 1);
    expect(change?.after).toBeCloseTo(0.5, 1);
  }
});

test('a fall and a recovery are two changes', () => {
  const found = findChanges(days(60, (day) => (day >= 20 && day < 40 ? 0.4 : 0.7)));
  expect(found.map(({ day }) => Math.round(day / 20))).toEqual([1, 2]);
});

test('chance is no change', () => {
  const found = Array.from({ length: 50 }, () => findChanges(days(30, () => 0.6, 10)).length);
  expect(found.filter((count) => count > 0).length).toBeLessThanOrEqual(2);
});

test('within its first day, a worse quality is what describes the engine', () => {
  const past = days(30, () => 0.7);
  const today = dayAround(30, 0.25, 25);
  const { n, sum } = currentEvidence([...past, today], 30);
  expect(sum / n).toBeLessThan(0.3);
  expect(n).toBeLessThanOrEqual(25 + 1e-9);
  const before = currentEvidence(past, 29);
  expect(before.sum / before.n).toBeCloseTo(0.7, 1);
});

test('a few poor answers do not erase the past', () => {
  const { n, sum } = currentEvidence([...days(30, () => 0.7), dayAround(30, 0.25, 3)], 30);
  expect(sum / n).toBeGreaterThan(0.6);
  expect(n).toBeGreaterThan(100);
});

test('weeks begin on Mondays and have intervals', () => {
  // 2026-11-16 is a Monday.
  const monday = Date.UTC(2026, 10, 16) / 86_400_000;
  const weeks = weeklyTrend([
    dayAround(monday, 0.5, 20),
    dayAround(monday + 6, 0.5, 20),
    dayAround(monday - 1, 0.9, 20),
    { day: monday + 20, tally: emptyTally },
  ]);
  expect(weeks.map(({ day, n }) => [day, n])).toEqual([
    [monday - 7, 20],
    [monday, 40],
  ]);
  for (const { mean, lower, upper } of weeks) {
    expect(lower).toBeLessThan(mean);
    expect(upper).toBeGreaterThan(mean);
  }
  expect(weeklyTrend([])).toEqual([]);
});
