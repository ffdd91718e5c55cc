// Calendar arithmetic and the reading of vendors' date texts. Time zone is always UTC.

export const freshness_days = { day: 1, week: 7, month: 30, year: 365 } as const;
export type Freshness = keyof typeof freshness_days;

const day_ms = 86_400_000;

export function isoDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export function dayShifted(day: string, by: number): string {
  return isoDay(new Date(Date.parse(`${day}T00:00:00Z`) + by * day_ms));
}

/** The moment a rolling window begins. */
export function freshnessStart(freshness: string, now: Date): Date {
  return new Date(now.getTime() - freshness_days[freshness as Freshness] * day_ms);
}

/** `2026-03-09` as `03/09/2026`, the way several vendors want it. */
export function monthFirst(day: string): string {
  return `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`;
}

/** A vendor's date text as `YYYY-MM-DD`; undefined when it cannot be read with certainty. */
export function readDay(text: unknown, now: Date): string | undefined {
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  return (
    readIso(trimmed) ?? readRelative(trimmed, now) ?? readNamed(trimmed) ?? readSlashed(trimmed)
  );
}

/** Read sign by sign: most vendors date every result this way. */
function readIso(text: string): string | undefined {
  if (text.charAt(4) !== '-' || text.charAt(7) !== '-') return undefined;
  const behind = text.charAt(10);
  if (behind !== '' && behind !== 'T' && behind !== ' ') return undefined;
  const is_real = isReal(digitsIn(text, 0, 4), digitsIn(text, 5, 7), digitsIn(text, 8, 10));
  return is_real ? text.slice(0, 10) : undefined;
}

/** The number written there; -1 when something else is. */
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
  // What is written out as a date mostly ends in its year, and none of these ends in a digit.
  if (digitsIn(text, text.length - 1, text.length) >= 0) return undefined;
  if (/^(just now|today)$/i.test(text)) return isoDay(now);
  if (/^yesterday$/i.test(text)) return isoDay(new Date(now.getTime() - day_ms));
  const found = /^(an?|\d{1,4}) (second|minute|hour|day|week|month|year)s? ago$/i.exec(text);
  if (!found) return undefined;
  const count = /^an?$/i.test(String(found[1])) ? 1 : Number(found[1]);
  const unit = String(found[2]).toLowerCase();
  if (unit === 'month' || unit === 'year')
    return monthsAgo(unit === 'year' ? 12 * count : count, now);
  return isoDay(new Date(now.getTime() - count * unit_ms[unit as keyof typeof unit_ms]));
}

/** By the calendar; a day that the month lacks is its last one. */
function monthsAgo(months: number, now: Date): string | undefined {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return day(year, month + 1, Math.min(now.getUTCDate(), last));
}

/** A year that a vendor gives in place of a date; it bounds a filter, and is no date. */
export function readYear(value: unknown): number | undefined {
  const year = typeof value === 'string' && /^\d{4}$/.test(value) ? Number(value) : value;
  return Number.isInteger(year) && Number(year) >= 1000 && Number(year) <= 9999
    ? Number(year)
    : undefined;
}

const unit_ms = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: day_ms,
  week: 7 * day_ms,
} as const;

/** `Mar 10, 2026`, `10 March 2026`, `Tue, 07 Apr 2026 09:00:00 GMT`. */
function readNamed(text: string): string | undefined {
  const month_first = /^([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})(?=$|[ ,])/.exec(text);
  if (month_first) {
    return named(String(month_first[1]), Number(month_first[2]), Number(month_first[3]));
  }
  const day_first = /^(?:[A-Za-z]{3,9}, )?(\d{1,2}) ([A-Za-z]{3,9})\.? (\d{4})(?=$|[ ,])/.exec(
    text,
  );
  return day_first
    ? named(String(day_first[2]), Number(day_first[1]), Number(day_first[3]))
    : undefined;
}

/** `03/14/2026` and `14/03/2026` are the same day; `03/04/2026` is either of two, so it is none. */
function readSlashed(text: string): string | undefined {
  const found = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (!found) return undefined;
  const [one, other, year] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const monthFirstDay = day(year, one, other);
  const dayFirstDay = day(year, other, one);
  if (monthFirstDay === undefined || dayFirstDay === undefined) return monthFirstDay ?? dayFirstDay;
  return monthFirstDay === dayFirstDay ? monthFirstDay : undefined;
}

const month_names =
  'january february march april may june july august september october november december'.split(
    ' ',
  );
const month_numbers: ReadonlyMap<string, number> = new Map([
  ['sept', 9],
  ...month_names.map((name, index): [string, number] => [name, index + 1]),
  ...month_names.map((name, index): [string, number] => [name.slice(0, 3), index + 1]),
]);

function named(month: string, date: number, year: number): string | undefined {
  const number = month_numbers.get(month.toLowerCase());
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
