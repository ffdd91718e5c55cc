// Calendar arithmetic, and reading vendors' date texts. The time zone is always UTC.
import { dayMs, hourMs, minuteMs } from '@trivium/contract/durations';

export const freshnessDays = { day: 1, week: 7, month: 30, year: 365 } as const;
type Freshness = keyof typeof freshnessDays;

export function isoDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function dayShifted(day: string, by: number): string {
  return isoDay(new Date(Date.parse(`${day}T00:00:00Z`) + by * dayMs));
}

/** The time at which a rolling window begins. */
export function freshnessStart(freshness: string, now: Date): Date {
  return new Date(now.getTime() - freshnessDays[freshness as Freshness] * dayMs);
}

/** For providers that accept only ranges with both ends. The range is never reversed. */
export function closedRange(
  first: string,
  last: string | undefined,
  now: Date,
): { from: string; to: string } {
  const today = isoDay(now);
  const to = last ?? (first > today ? first : today);
  return { from: first < to ? first : to, to };
}

/** `2026-03-09` as `03/09/2026`, the format of several vendors. */
export function monthFirst(day: string): string {
  return `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`;
}

/** A vendor's date text as `YYYY-MM-DD`. Undefined if it cannot be read with certainty. */
export function readDay(text: unknown, now: Date): string | undefined {
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  return (
    readIso(trimmed) ?? readRelative(trimmed, now) ?? readNamed(trimmed) ?? readSlashed(trimmed)
  );
}

/** Read character by character, because most vendors date every result this way. */
function readIso(text: string): string | undefined {
  if (text.charAt(4) !== '-' || text.charAt(7) !== '-') return undefined;
  const behind = text.charAt(10);
  if (behind !== '' && behind !== 'T' && behind !== ' ') return undefined;
  const isRealDate = isReal(digitsIn(text, 0, 4), digitsIn(text, 5, 7), digitsIn(text, 8, 10));
  return isRealDate ? text.slice(0, 10) : undefined;
}

/** The number at that position. -1 if there is none. */
function digitsIn(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - zero;
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = number * 10 + digit;
  }
  return number;
}

const zero = 48;

function readRelative(text: string, now: Date): string | undefined {
  // Most written dates end in a year, and none of these relative forms ends in a digit.
  if (digitsIn(text, text.length - 1, text.length) >= 0) return undefined;
  if (/^(just now|today)$/i.test(text)) return isoDay(now);
  if (/^yesterday$/i.test(text)) return isoDay(new Date(now.getTime() - dayMs));
  const found = /^(an?|\d{1,4}) (second|minute|hour|day|week|month|year)s? ago$/i.exec(text);
  if (!found) return undefined;
  const count = /^an?$/i.test(String(found[1])) ? 1 : Number(found[1]);
  const unit = String(found[2]).toLowerCase();
  if (unit === 'month' || unit === 'year')
    return monthsAgo(unit === 'year' ? 12 * count : count, now);
  return isoDay(new Date(now.getTime() - count * unitMs[unit as keyof typeof unitMs]));
}

/** By the calendar. A day that the month does not have becomes its last day. */
function monthsAgo(months: number, now: Date): string | undefined {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return day(year, month + 1, Math.min(now.getUTCDate(), last));
}

/** A year that a vendor gives instead of a date: usable in a filter, but not a date. */
export function readYear(value: unknown): number | undefined {
  const year = typeof value === 'string' && /^\d{4}$/.test(value) ? Number(value) : value;
  return Number.isInteger(year) && Number(year) >= 1000 && Number(year) <= 9999
    ? Number(year)
    : undefined;
}

const unitMs = {
  second: 1000,
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
} as const;

/** `Mar 10, 2026`, `10 March 2026`, `Tue, 07 Apr 2026 09:00:00 GMT`. */
function readNamed(text: string): string | undefined {
  const isMonthFirst = /^([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})(?=$|[ ,])/.exec(text);
  if (isMonthFirst) {
    return named(String(isMonthFirst[1]), Number(isMonthFirst[2]), Number(isMonthFirst[3]));
  }
  const dayFirst = /^(?:[A-Za-z]{3,9}, )?(\d{1,2}) ([A-Za-z]{3,9})\.? (\d{4})(?=$|[ ,])/.exec(text);
  return dayFirst
    ? named(String(dayFirst[2]), Number(dayFirst[1]), Number(dayFirst[3]))
    : undefined;
}

/** `03/14/2026` and `14/03/2026` are the same day. `03/04/2026` is ambiguous, so it is not read. */
function readSlashed(text: string): string | undefined {
  const found = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (!found) return undefined;
  const [one, other, year] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const monthFirstDay = day(year, one, other);
  const dayFirstDay = day(year, other, one);
  if (monthFirstDay === undefined || dayFirstDay === undefined) return monthFirstDay ?? dayFirstDay;
  return monthFirstDay === dayFirstDay ? monthFirstDay : undefined;
}

const monthNames =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const monthNumbers: ReadonlyMap<string, number> = new Map([
  ['sept', 9],
  ...monthNames.map((name, index): [string, number] => [name, index + 1]),
  ...monthNames.map((name, index): [string, number] => [name.slice(0, 3), index + 1]),
]);

function named(month: string, date: number, year: number): string | undefined {
  const number = monthNumbers.get(month.toLowerCase());
  return number === undefined ? undefined : day(year, number, date);
}

function day(year: number, month: number, date: number): string | undefined {
  if (!isReal(year, month, date)) return undefined;
  return `${year}-${twoDigits(month)}-${twoDigits(date)}`;
}

function isReal(year: number, month: number, date: number): boolean {
  if (year < 1000 || month < 1 || month > 12 || date < 1) return false;
  if (month !== 2)
    return date <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31);
  return date <= (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28);
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
