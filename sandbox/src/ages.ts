// How vendors tell in words when a page appeared: how long ago for young pages, the day for others.

/** `3 hours ago`, `2 days ago`, or `March 10, 2026`; with short months `Mar 10, 2026`. */
export function tellAge(published: Date, now: Date, months: 'long' | 'short'): string {
  const hours = Math.max(1, Math.floor((now.getTime() - published.getTime()) / HOUR_MS));
  const days = Math.floor(hours / 24);
  if (days > RECENT_DAYS) {
    const month = published.toLocaleString('en-US', { month: months, timeZone: 'UTC' });
    return `${month} ${published.getUTCDate()}, ${published.getUTCFullYear()}`;
  }
  return days > 0 ? ago(days, 'day') : ago(hours, 'hour');
}

const HOUR_MS = 3_600_000;
const RECENT_DAYS = 7;

function ago(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
