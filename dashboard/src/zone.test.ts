// Days in a time zone: the first moment of a day, and the day of a moment.
import { expect, test } from 'bun:test';
import { clockIn, dayIn, momentAt, nextDay, startOfDay } from './zone.ts';

const zones = [
  'UTC',
  'Pacific/Auckland',
  'Europe/Berlin',
  'America/Los_Angeles',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'America/Sao_Paulo',
];
const days = ['2026-03-29', '2026-11-01', '2026-12-31', '2028-02-29', '2018-11-04'];

test.each(zones)('a day in %s survives the way to its first moment and back', (zone) => {
  for (const day of days) {
    const start = startOfDay(zone, day);
    expect(dayIn(zone, start)).toBe(day);
    expect(dayIn(zone, Date.parse(start) - 1) < day).toBe(true);
  }
});

test('the first moment is midnight there', () => {
  expect(startOfDay('Europe/Berlin', '2026-12-31')).toBe('2026-12-30T23:00:00.000Z');
  expect(startOfDay('Pacific/Auckland', '2026-12-31')).toBe('2026-12-30T11:00:00.000Z');
  expect(startOfDay('America/Los_Angeles', '2026-12-31')).toBe('2026-12-31T08:00:00.000Z');
});

test('a day on which clocks skip midnight begins later', () => {
  expect(startOfDay('America/Sao_Paulo', '2018-11-04')).toBe('2018-11-04T03:00:00.000Z');
});

test('a day that a zone skipped begins with the next day', () => {
  expect(startOfDay('Pacific/Apia', '2011-12-30')).toBe(startOfDay('Pacific/Apia', '2011-12-31'));
});

test('the next day', () => {
  expect(nextDay('2026-12-31')).toBe('2027-01-01');
  expect(nextDay('2028-02-28')).toBe('2028-02-29');
});

test.each(zones)('a time of the clock in %s is a moment, and the way back', (zone) => {
  for (const day of days) {
    for (const time of ['00:30', '12:00', '23:59']) {
      const clock = `${day}T${time}`;
      const shown = skipped.get(`${zone} ${clock}`) ?? clock;
      expect(clockIn(zone, momentAt(zone, clock))).toBe(shown);
    }
  }
});

/** Clocks are advanced at midnight. */
const skipped = new Map([['America/Sao_Paulo 2018-11-04T00:30', '2018-11-03T23:30']]);
