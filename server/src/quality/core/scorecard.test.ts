// The lines of a scorecard from sums by day.
import { expect, test } from 'bun:test';
import { ScorecardLine } from '@trivium/contract';
import { scorecardLines, type ScorecardPart } from './scorecard.ts';

const monday = 20_409;
const part = (day: number, quality: number, more: Partial<ScorecardPart> = {}): ScorecardPart => ({
  ...{ source: 'agreement', engine: 'engine_a', group: '', day: monday + day },
  tally: { n: 20, sum: 20 * quality, squares: 20 * (quality * quality + 0.01) },
  ...{ calls: 22, failures: 2, cost: 100_000, latency_ms: 4400, useful: 0 },
  ...more,
});

test('agreement and feedback are kept apart, with prices of their own searches', () => {
  const feedback = { source: 'feedback', calls: 3, failures: 0, useful: 4 } as const;
  const lines = scorecardLines([
    ...[part(0, 0.5), part(8, 0.5), part(1, 0.9, { ...feedback, cost: 21_000 })],
    part(0, 0.4, { engine: 'engine_c', group: 'news', calls: 2, failures: 2, cost: 0 }),
  ]);
  for (const line of lines) ScorecardLine.parse(line);
  const [first, second] = lines;
  expect(first).toMatchObject({
    ...{ provider: 'engine_a', calls: 44, failures: 4, price_usd: 0.005, latency_ms: 200 },
    ...{ useful: 4, useful_price_usd: 0.00525 },
  });
  expect(first?.agreement).toMatchObject({ mean: 0.5, observations: 40, changes: [] });
  expect(first?.agreement?.weeks.map(({ week }) => week)).toEqual(['2025-11-17', '2025-11-24']);
  expect(first?.feedback).toMatchObject({ mean: 0.9, observations: 20 });
  // Where every call failed there is no price of an answer.
  expect(second).toMatchObject({ provider: 'engine_c', group: 'news', price_usd: null });
  expect([second?.feedback, second?.useful_price_usd]).toEqual([null, null]);
});

test('a change is marked with its day and both means', () => {
  const days = Array.from({ length: 14 }, (_none, day) => part(day, day < 9 ? 0.6 : 0.3));
  const [line] = scorecardLines(days);
  expect(line?.agreement?.changes).toEqual([{ day: '2025-11-26', before: 0.6, after: 0.3 }]);
});

test('nothing observed has no quality', () => {
  const none = { n: 0, sum: 0, squares: 0 };
  const [line] = scorecardLines([part(0, 0, { tally: none })]);
  expect([line?.agreement, line?.calls]).toEqual([null, 22]);
  expect(scorecardLines([])).toEqual([]);
});
