// Checks the days of a provider's uptime.
import { expect, test } from 'bun:test';
import { hoursUntil, uptimeOf } from './uptime.ts';

test('each day of the range has its share of answers, without refusals', () => {
  const days = uptimeOf(
    [
      { day: '2026-03-01', served: 99, failed: 1 },
      { day: '2026-03-03', served: 95, failed: 5 },
      { day: '2026-03-04', served: 1, failed: 1 },
    ],
    { from: '2026-03-01', to: '2026-03-04' },
  );
  expect(days.map(({ day, called, tone }) => [day, called, tone])).toEqual([
    ['2026-03-01', 100, 'good'],
    ['2026-03-02', 0, 'none'],
    ['2026-03-03', 100, 'warn'],
    ['2026-03-04', 2, 'bad'],
  ]);
  expect(days[2]?.part).toBe('95%');
});

test('every hour of 30 days is there, and one without requests is a gap', () => {
  const now = Date.parse('2026-03-31T14:20:00Z');
  const hours = hoursUntil(now, [
    { at: '2026-03-01T14:00:00.000Z', served: 1, failed: 0, mean_ms: 1 },
    { at: '2026-03-01T15:00:00.000Z', served: 1, failed: 0, mean_ms: null },
    { at: '2026-03-31T13:00:00.000Z', served: 8, failed: 2, mean_ms: 640 },
  ]);
  expect(hours).toHaveLength(720);
  const begin = Date.parse('2026-03-01T15:00:00Z');
  expect(hours[0]).toEqual({ at: begin, called: 1, failed: 0, mean_ms: null });
  expect(hours[718]).toMatchObject({ called: 10, failed: 2, mean_ms: 640 });
  expect(hours[719]).toEqual({ at: begin + 719 * 3_600_000, called: 0, failed: 0, mean_ms: null });
  expect(hoursUntil(now, [])).toHaveLength(48);
  const young = [{ at: '2026-03-28T14:00:00.000Z', served: 1, failed: 0, mean_ms: 1 }];
  expect(hoursUntil(now, young)).toHaveLength(73);
});
