// Vendors write dates in many ways; these are read, and what is doubtful is left out.
import { describe, test } from 'bun:test';
import { expect, proves } from '../../../e2e/proves.ts';
import { closedRange, dayShifted, freshnessStart, monthFirst, readDay, readYear } from './dates.ts';

const now = new Date('2026-11-15T12:00:00Z');

describe('readDay', () => {
  const readable: [string, string][] = [
    ['2026-03-14', '2026-03-14'],
    ['2026-03-14T09:21:07.000Z', '2026-03-14'],
    ['2026-04-07T09:00:00+00:00', '2026-04-07'],
    ['2026-04-07 09:00:00', '2026-04-07'],
    ['Tue, 07 Apr 2026 09:00:00 GMT', '2026-04-07'],
    ['Mar 10, 2026', '2026-03-10'],
    ['March 10, 2026', '2026-03-10'],
    ['Sept 3, 2026', '2026-09-03'],
    ['10 March 2026', '2026-03-10'],
    ['1 May 2026', '2026-05-01'],
    ['03/14/2026', '2026-03-14'],
    ['14/03/2026', '2026-03-14'],
    ['5/5/2026', '2026-05-05'],
    ['a month ago', '2026-10-15'],
    ['3 months ago', '2026-08-15'],
    ['11 months ago', '2025-12-15'],
    ['a year ago', '2025-11-15'],
    ['2 years ago', '2024-11-15'],
    ['3 days ago', '2026-11-12'],
    ['1 day ago', '2026-11-14'],
    ['2 hours ago', '2026-11-15'],
    ['13 hours ago', '2026-11-14'],
    ['an hour ago', '2026-11-15'],
    ['a week ago', '2026-11-08'],
    ['2 weeks ago', '2026-11-01'],
    ['45 minutes ago', '2026-11-15'],
    ['2 months ago', '2026-09-15'],
    ['a month ago', '2026-10-15'],
    ['11 months ago', '2025-12-15'],
    ['1 year ago', '2025-11-15'],
    ['9 years ago', '2017-11-15'],
    ['04/04/2026', '2026-04-04'],
    ['just now', '2026-11-15'],
    ['yesterday', '2026-11-14'],
  ];
  for (const [text, day] of readable) {
    test(`reads "${text}" as ${day}`, () =>
      proves('results.date.two-readings', () => expect(readDay(text, now)).toBe(day)));
  }

  const doubtful = [
    '',
    'soon',
    '2026',
    '2026-02-30',
    '2026-02-3',
    '2026-0a-14',
    '2026-03-14x',
    '-026-03-14',
    '07/04/2026',
    '13/13/2026',
    '9999 years ago',
    'Mar 2026',
    '3.5 months ago',
    'il y a 3 jours',
    20260314,
    null,
    undefined,
  ];
  for (const text of doubtful) {
    test(`leaves out ${JSON.stringify(text)}, which cannot be read with certainty`, () => {
      proves('results.date.two-readings', () => expect(readDay(text, now)).toBeUndefined());
    });
  }
});

test('months before a long month end on the last day there is', () => {
  expect(readDay('3 months ago', new Date('2026-05-31T12:00:00Z'))).toBe('2026-02-28');
  expect(readDay('1 month ago', new Date('2026-07-31T12:00:00Z'))).toBe('2026-06-30');
  expect(readDay('1 year ago', new Date('2028-02-29T12:00:00Z'))).toBe('2027-02-28');
});

test('a bare year is read as a year alone', () => {
  expect([2017, '2017'].map(readYear)).toEqual([2017, 2017]);
  for (const invalid of ['17', 17, 20_170, 2017.5, NaN, null, undefined, '2017-01', {}]) {
    expect(readYear(invalid)).toBeUndefined();
  }
});

test('days are shifted across months and years', () => {
  expect(dayShifted('2026-03-01', -1)).toBe('2026-02-28');
  expect(dayShifted('2026-12-31', 1)).toBe('2027-01-01');
});

test('a rolling window begins so many days before now, to the millisecond', () => {
  const starts = (['day', 'week', 'month', 'year'] as const).map((window) =>
    freshnessStart(window, now).toISOString(),
  );
  proves('search-engines.freshness.rolling', () =>
    expect(starts).toEqual([
      '2026-11-14T12:00:00.000Z',
      '2026-11-08T12:00:00.000Z',
      '2026-10-16T12:00:00.000Z',
      '2025-11-15T12:00:00.000Z',
    ]),
  );
});

test('a day can be written month first', () => expect(monthFirst('2026-03-09')).toBe('03/09/2026'));

test('a range with both ends is never reversed', () => {
  expect(closedRange('1990-01-01', undefined, now)).toEqual({
    from: '1990-01-01',
    to: '2026-11-15',
  });
  expect(closedRange('1990-01-01', '1985-05-05', now)).toEqual({
    from: '1985-05-05',
    to: '1985-05-05',
  });
  expect(closedRange('2026-11-16', undefined, now)).toEqual({
    from: '2026-11-16',
    to: '2026-11-16',
  });
});
