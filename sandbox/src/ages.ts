// Publication dates as vendors write them: an age for recent pages, a date for others. Ages in
// hours are not used: they would change during a day, and may fall on the day before.
import { dayMs } from './durations.ts';

/**
 * `2 days ago`, or `March 10, 2026`; with short months `Mar 10, 2026`. A page of the same day is
 * `1 second ago`.
 */
export function tellAge(published: Date, now: Date, months: 'long' | 'short'): string {
  const days = daysBetween(published, now);
  if (days > recentDays) {
    const month = published.toLocaleString('en-US', { month: months, timeZone: 'UTC' });
    return `${month} ${published.getUTCDate()}, ${published.getUTCFullYear()}`;
  }
  return days > 0 ? `${days} day${days === 1 ? '' : 's'} ago` : '1 second ago';
}

/** `3 days ago`, `2 weeks ago`, `5 months ago`, `2 years ago`: the form for news of any age. */
export function tellAgo(published: Date, now: Date): string {
  const days = daysBetween(published, now);
  const [count, unit] = ages
    .map(([unit, length]): [number, string] => [Math.floor(days / length), unit])
    .find(([count]) => count > 0) ?? [1, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

const ages: [string, number][] = [
  ['year', 365],
  ['month', 30],
  ['week', 7],
  ['day', 1],
];

/** Calendar days, so that the number is the same all day. */
export function daysBetween(published: Date, now: Date): number {
  return Math.floor(now.getTime() / dayMs) - Math.floor(published.getTime() / dayMs);
}

const recentDays = 7;
