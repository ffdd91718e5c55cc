// How vendors tell in words when a page appeared: how long ago for young pages, the day for others.
// Hours are left out: they would change within a day, and lead to yesterday in its first ones.

/**
 * `2 days ago`, or `March 10, 2026`; with short months `Mar 10, 2026`. Any page of the day itself
 * is told to be new.
 */
export function tellAge(published: Date, now: Date, months: 'long' | 'short'): string {
  const days = daysBetween(published, now);
  if (days > RECENT_DAYS) {
    const month = published.toLocaleString('en-US', { month: months, timeZone: 'UTC' });
    return `${month} ${published.getUTCDate()}, ${published.getUTCFullYear()}`;
  }
  return days > 0 ? `${days} day${days === 1 ? '' : 's'} ago` : '1 second ago';
}

/** `3 days ago`, `2 weeks ago`, `5 months ago`, `2 years ago`: as news are told, however old. */
export function tellAgo(published: Date, now: Date): string {
  const days = daysBetween(published, now);
  const [count, unit] = AGES.map(([unit, length]): [number, string] => [
    Math.floor(days / length),
    unit,
  ]).find(([count]) => count > 0) ?? [1, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

const AGES: [string, number][] = [
  ['year', 365],
  ['month', 30],
  ['week', 7],
  ['day', 1],
];

/** Counted by the calendar, so that the number is the same all day. */
export function daysBetween(published: Date, now: Date): number {
  return Math.floor(now.getTime() / DAY_MS) - Math.floor(published.getTime() / DAY_MS);
}

const DAY_MS = 86_400_000;
const RECENT_DAYS = 7;
