// Checks dates, the shared patterns and the headers at their limits.
import { expect, test } from 'bun:test';
import {
  CalendarDate,
  daysInMonth,
  IdempotencyKey,
  isCalendarDate,
  LanguageTag,
  MaxCostUsd,
  Timestamp,
  Usage,
  Warning,
} from './common.ts';
import { issuesOf } from './issues.ts';

const shapes = [
  {
    name: 'a calendar date',
    schema: CalendarDate,
    good: ['2026-01-01', '2026-12-31', '2024-02-29', '2000-02-29', '2026-02-28', '2026-04-30'],
    bad: [
      '2026-02-29',
      '2026-02-30',
      '1900-02-29',
      '2026-04-31',
      '2026-00-10',
      '2026-13-01',
      '2026-01-00',
      '2026-01-32',
      '2026-1-01',
      '26-01-01',
      '2026-01-01T00:00:00Z',
      ' 2026-01-01',
      '2026-01-01\n',
      '',
    ],
  },
  {
    name: 'a language tag',
    schema: LanguageTag,
    good: ['en', 'EN', 'deu', 'pt-BR', 'zh-Hans-CN', 'en-12345678'],
    bad: ['e', 'engl', 'en-', 'en-a', 'en-123456789', 'en_US', '12', ''],
  },
  {
    name: 'an Idempotency-Key',
    schema: IdempotencyKey,
    good: ['a', '~', '!', 'k'.repeat(255)],
    bad: ['', 'k'.repeat(256), 'a b', 'ä', 'a\n'],
  },
  {
    name: 'an x-max-cost-usd',
    schema: MaxCostUsd,
    good: ['0', '0.05', '0.000001', '999999999'],
    bad: ['', '-1', '.5', '1.', '0.0000001', '1e3', '1000000000', '0x1', 'NaN', ' 1'],
  },
  {
    name: 'a timestamp',
    schema: Timestamp,
    good: ['2026-03-02T09:15:00Z', '2026-03-02T09:15:00.123Z', '2026-03-02T09:15:00+01:00'],
    bad: ['2026-03-02', '2026-03-02T09:15:00', '2026-02-30T09:15:00Z', 'now'],
  },
];

for (const { name, schema, good, bad } of shapes) {
  test.each(good)(`%j is ${name}`, (value) => {
    expect(schema.safeParse(value).success).toBe(true);
  });
  test.each(bad)(`%j is not ${name}`, (value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
}

test('a date that does not exist is one fault, with its own code', () => {
  const parsed = CalendarDate.safeParse('2026-02-30');
  expect(parsed.error && issuesOf(parsed.error)).toEqual([
    { path: '', code: 'invalid_date', message: '2026-02-30 is not a date in the calendar.' },
  ]);
});

test('a date in the wrong format is one fault, about its format', () => {
  const parsed = CalendarDate.safeParse('yesterday');
  expect(parsed.error && issuesOf(parsed.error)).toEqual([
    { path: '', code: 'invalid_format', message: 'Must be a date written as YYYY-MM-DD.' },
  ]);
});

test('the calendar agrees with Date for every day of eight years', () => {
  const dayMs = 86_400_000;
  const start = Date.UTC(1896, 0, 1);
  for (let day = 0; day < 8 * 366; day += 1) {
    const date = new Date(start + day * dayMs).toISOString().slice(0, 10);
    expect(isCalendarDate(date)).toBe(true);
  }
  const lengths = Array.from({ length: 12 }, (_, month) => daysInMonth(1900, month + 1));
  expect(lengths).toEqual(
    lengths.map((_, month) => new Date(Date.UTC(1900, month + 1, 0)).getUTCDate()),
  );
});

test('a month that does not exist has no days', () => {
  expect([daysInMonth(2026, 0), daysInMonth(2026, 13)]).toEqual([0, 0]);
});

test('a warning needs one of three codes and a message, and may name its parameter', () => {
  for (const code of ['param_ignored', 'param_approximated', 'results_post_filtered']) {
    expect(Warning.safeParse({ code, message: 'm' }).success).toBe(true);
    expect(Warning.safeParse({ code, message: 'm', param: 'mode' }).success).toBe(true);
    expect(Warning.safeParse({ code }).success).toBe(false);
  }
  expect(Warning.safeParse({ code: 'other', message: 'm' }).success).toBe(false);
});

test('usage is never negative', () => {
  expect(Usage.safeParse({ cost_usd: 0, credits: 0.5 }).success).toBe(true);
  expect(Usage.safeParse({ cost_usd: -0.000001, credits: 0 }).success).toBe(false);
  expect(Usage.safeParse({ cost_usd: 0, credits: -1 }).success).toBe(false);
});
