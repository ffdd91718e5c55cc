// Days, hours, weeks and months in UTC, counted since 1970.
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

export const daysInWeek = 7;
/** 1970-01-01 was a Thursday. */
const firstMonday = 4;

/** The Monday of a day's week. */
export function mondayOf(day: number): number {
  return Math.floor((day - firstMonday) / daysInWeek) * daysInWeek + firstMonday;
}

/** The same as SQL, for a column of days. */
export function mondaySql(column: string): string {
  return `${column} - (${column} - ${firstMonday}) % ${daysInWeek}`;
}

export function firstDayOfMonth(at: number): number {
  const date = new Date(at);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}
