// The intervals of the overview: they cover their range without a gap, and weeks begin on Mondays.
import { expect, test } from 'bun:test';
import { overviewSpans } from '@trivium/contract';
import { dayMs, hourMs } from '@trivium/contract/durations';
import { slotsOf } from './series.ts';

const now = Date.parse('2026-11-17T06:00:00Z');
const day = (at: number) => new Date(at).toISOString().slice(0, 10);

test('intervals follow each other up to now, and every unit has its place', () => {
  for (const span of overviewSpans) {
    const { list, unitMs, first, before, slotOf } = slotsOf(span, now);
    expect(list[0]?.at).toBe(first * unitMs);
    expect(first - before).toBe(Math.round(((list.at(-1)?.until ?? 0) - first * unitMs) / unitMs));
    for (const [place, { at, until }] of list.entries()) {
      expect(at).toBe(list[place - 1]?.until ?? at);
      expect([slotOf(at / unitMs), slotOf(until / unitMs - 1)]).toEqual([place, place]);
    }
    expect(list.at(-1)?.until).toBeGreaterThan(now);
  }
});

test('ninety days are weeks that begin on Mondays, the first one as far as it belongs', () => {
  const { list, elapsed } = slotsOf('90d', now);
  expect(list.map(({ at }) => day(at)).slice(0, 3)).toEqual([
    '2026-08-20',
    '2026-08-24',
    '2026-08-31',
  ]);
  expect(day(list.at(-1)?.at ?? 0)).toBe('2026-11-16');
  expect(list).toHaveLength(14);
  expect(elapsed).toBe(0.25);
});

test('a day has hours', () => {
  const { list, elapsed } = slotsOf('24h', now);
  expect(list).toHaveLength(24);
  expect(list.every(({ at, until }) => until - at === hourMs)).toBe(true);
  expect(elapsed).toBe(0);
  expect(slotsOf('7d', now).list.every(({ at, until }) => until - at === dayMs)).toBe(true);
});
