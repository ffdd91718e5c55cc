// The days and weeks of an overview in a time zone. They begin at a quarter of an hour, because every
// zone's offset from UTC is a multiple of it.
import { dayMs, minuteMs } from '@trivium/contract/durations';
import type { OverviewSpan } from '@trivium/contract';
import { mondayOf } from '../../requests/core/index.ts';
import { daysOf } from './slots.ts';
import type { Slots } from './slots.ts';

const quarterMs = 15 * minuteMs;
/** A zone is at most 14 hours away from UTC, so a day begins within this many units of its noon. */
const around = (36 * 60) / 15;

type ZonedSlots = Pick<Slots, 'list'> & { from: number };

export function zonedSlotsOf(
  span: Exclude<OverviewSpan, '24h'>,
  now: number,
  zone: string,
): ZonedSlots {
  const dayIn = dayFinder(zone);
  const last = dayIn(now);
  const first = last - daysOf(span) + 1;
  const days = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  const groups = [...Map.groupBy(days, span === '90d' ? mondayOf : (day) => day).values()];
  const starts = groups.map(([day = first]) => startOf(day, dayIn));
  const list = starts.map((at, place) => ({
    at,
    until: starts[place + 1] ?? startOf(last + 1, dayIn),
  }));
  return {
    list,
    from: list[0]?.at ?? now,
  };
}

/** The first quarter of an hour of a day. If clocks skip midnight, the day begins later. */
function startOf(day: number, dayIn: (at: number) => number): number {
  const noon = Math.floor((day * dayMs + dayMs / 2) / quarterMs);
  let [earlier, within] = [noon - around, noon + around];
  while (within - earlier > 1) {
    const middle = Math.floor((earlier + within) / 2);
    if (dayIn(middle * quarterMs) < day) earlier = middle;
    else within = middle;
  }
  return within * quarterMs;
}

/** The calendar day of a time in the zone, counted since 1970. */
function dayFinder(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
    return Date.UTC(part('year'), part('month') - 1, part('day')) / dayMs;
  };
}
