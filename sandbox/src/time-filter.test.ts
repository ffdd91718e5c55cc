// Google's time filter and the ages of pages, as the vendors read and write them.
import { expect, test } from 'bun:test';
import { tellAge } from './ages.ts';
import { readTimeFilter, timeFilter } from './time-filter.ts';

const now = new Date('2026-11-15T12:00:00Z');

test('a window ends now', () => {
  expect(readTimeFilter('qdr:d', now).after).toEqual(new Date('2026-11-14T12:00:00Z'));
  expect(readTimeFilter('qdr:h6', now).after).toEqual(new Date('2026-11-15T06:00:00Z'));
  expect(readTimeFilter('qdr:w', now).before).toBeUndefined();
});

test('a range includes both of its days, and either may be missing', () => {
  const range = readTimeFilter('cdr:1,cd_min:03/09/2026,cd_max:04/01/2026', now);
  expect(range.after).toEqual(new Date('2026-03-09T00:00:00Z'));
  expect(range.before).toEqual(new Date('2026-04-01T23:59:59.999Z'));
  expect(readTimeFilter('cdr:1,cd_max:04/01/2026', now).after).toBeUndefined();
});

test('only the two forms are accepted, with or without sorting by date', () => {
  const good = ['qdr:y', 'qdr:m3', 'sbd:1,qdr:d', 'cdr:1,cd_min:3/9/2026'];
  const bad = ['', 'qdr', 'qdr:x', 'cdr:1', 'cdr:1,cd_min:2026-03-09', 'week'];
  expect(good.filter((text) => !timeFilter.test(text))).toEqual([]);
  expect(bad.filter((text) => timeFilter.test(text))).toEqual([]);
});

test('recent pages have an age, others a date', () => {
  const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  expect(tellAge(ago(0), now, 'short')).toBe('1 second ago');
  expect(tellAge(ago(12), now, 'short')).toBe('1 second ago');
  expect(tellAge(ago(24), now, 'short')).toBe('1 day ago');
  expect(tellAge(ago(24 * 7), now, 'short')).toBe('7 days ago');
  expect(tellAge(ago(24 * 8), now, 'short')).toBe('Nov 7, 2026');
  expect(tellAge(ago(24 * 8), now, 'long')).toBe('November 7, 2026');
});
