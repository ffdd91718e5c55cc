// Days, hours and months in UTC, counted since 1970.
import { dayMs, hourMs } from '@trivium/contract/durations';

/** Days since 1970, in UTC. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

export function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}

export function dayOfHour(hour: number): number {
  return Math.floor(hour / 24);
}

export function firstDayOfMonth(at: number): number {
  const date = new Date(at);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}
