// Checks the ranges, intervals and series of the usage page.
import { expect, test } from 'bun:test';
import type { UsageLine } from '@trivium/contract';
import { costSeries, daysOfRange, intervalsOf } from './usage-figures.ts';

const now = Date.parse('2026-03-15T13:00:00Z');

test.each([
  ['1d', '2026-03-15', '2026-03-15'],
  ['7d', '2026-03-09', '2026-03-15'],
  ['month', '2026-03-01', '2026-03-15'],
  ['last-month', '2026-02-01', '2026-02-28'],
  ['nonsense', '2026-02-14', '2026-03-15'],
  ['0d', '2026-03-15', '2026-03-15'],
])('the range %s is from %s to %s', (range, from, to) => {
  expect(daysOfRange(range, now)).toEqual({ from, to });
});

test('a short range has its days, and a long one intervals of several days', () => {
  expect(intervalsOf({ from: '2026-03-14', to: '2026-03-15' })).toEqual([
    { at: '2026-03-14T00:00:00.000Z', until: '2026-03-15T00:00:00.000Z' },
    { at: '2026-03-15T00:00:00.000Z', until: '2026-03-16T00:00:00.000Z' },
  ]);
  const year = intervalsOf({ from: '2025-01-01', to: '2025-12-31' });
  expect(year).toHaveLength(92);
  expect(year.at(-1)?.until).toBe('2026-01-01T00:00:00.000Z');
  expect(intervalsOf({ from: '2026-03-15', to: '2026-03-01' })).toHaveLength(1);
});

test('the most expensive groups have a series, and the sum of all series is the sum of all groups', () => {
  const intervals = intervalsOf({ from: '2026-01-01', to: '2026-12-31' });
  const lines = Array.from({ length: 20 }, (_, place) => ({
    group: `g${place}`,
    cost_usd: place,
    days: [
      { day: '2026-01-01', cost_usd: place / 2 },
      { day: '2026-12-31', cost_usd: place / 2 },
    ],
  })) as UsageLine[];
  const series = costSeries(lines, intervals);
  expect(series.map(({ group }) => group)).toEqual([
    ...['g19', 'g18', 'g17', 'g16', 'g15', 'g14', 'g13'],
    null,
  ]);
  const sum = series.flatMap(({ values }) => values).reduce((all, one) => all + one, 0);
  expect(sum).toBe(190);
  expect(costSeries([], [])).toEqual([]);
});
