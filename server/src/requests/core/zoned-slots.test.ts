// The days of an overview in a time zone: they follow each other, also where clocks are changed.
import { expect, test } from 'bun:test';
import { hourMs } from '@trivium/contract/durations';
import { zonedSlotsOf } from './series.ts';

const iso = (at: number) => new Date(at).toISOString();

test('days begin at midnight of the zone', () => {
  const now = Date.parse('2026-11-18T02:00:00Z');
  const { list } = zonedSlotsOf('7d', now, 'America/Los_Angeles');
  expect(list).toHaveLength(7);
  const latest: readonly [zone: string, begins: string][] = [
    ['America/Los_Angeles', '2026-11-17T08:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-17T18:15:00.000Z'],
    ['Etc/GMT+12', '2026-11-17T12:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-11-17T10:00:00.000Z'],
  ];
  for (const [zone, begins] of latest) {
    expect([zone, iso(zonedSlotsOf('7d', now, zone).list.at(-1)?.at ?? 0)]).toEqual([zone, begins]);
  }
});

test('a day has 23 or 25 hours when clocks are changed', () => {
  const now = Date.parse('2026-10-28T12:00:00Z');
  for (const span of ['7d', '30d', '90d'] as const) {
    const { list, from } = zonedSlotsOf(span, now, 'Europe/Berlin');
    expect(from).toBe(list[0]?.at ?? 0);
    expect(list.at(-1)?.until).toBeGreaterThan(now);
    for (const [place, { at, until }] of list.entries()) {
      expect(at).toBe(list[place - 1]?.until ?? at);
      expect(until).toBeGreaterThan(at);
    }
  }
  const { list } = zonedSlotsOf('7d', now, 'Europe/Berlin');
  expect(list.map(({ at, until }) => (until - at) / hourMs)).toEqual([24, 24, 24, 25, 24, 24, 24]);
});
