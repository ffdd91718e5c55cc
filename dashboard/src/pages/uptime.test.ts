// Checks the days of a provider's uptime.
import { expect, test } from 'bun:test';
import { uptimeOf } from './uptime.ts';

test('each day of the range has its part of answers, refusals left out', () => {
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
