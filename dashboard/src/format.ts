// Formats numbers, amounts and times: one language, and the time zone that the person chose.
import { currentZone } from './zone.ts';

export const locale = 'en-US';

const wholeUsd = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});
const lineUsd = new Intl.NumberFormat(locale, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
  maximumFractionDigits: 6,
});
const roundedUsd = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
const whole = new Intl.NumberFormat(locale);
const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' });
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const moment = inZone({ dateStyle: 'medium', timeStyle: 'short' });
const seconds = inZone({ dateStyle: 'medium', timeStyle: 'medium' });
const yearOf = inZone({ year: 'numeric' });
const secondOfYear = inZone({
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const precise = inZone({
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});
const momentDay = inZone({ dateStyle: 'medium' });
const hour = inZone({ hour: '2-digit', minute: '2-digit' });

/** Rounded to cents, but an amount below a cent is exact; `Money` shows the exact amount as well. */
export function usd(amount: number): string {
  const isCents = amount === 0 || Math.abs(amount) >= 0.01;
  return (isCents ? roundedUsd : wholeUsd).format(amount);
}

/** The amount of one line of a log or ledger: a search costs a fraction of a cent. */
export function usdOfLine(amount: number): string {
  return lineUsd.format(amount);
}

/** Not rounded: a search costs a fraction of a cent. */
export function exactUsd(amount: number): string {
  return wholeUsd.format(amount);
}

/** A tick of an axis, with as many decimals as its steps need. */
export function tickUsd(value: number, step: number): string {
  const digits = step >= 1 ? 0 : Math.max(2, Math.ceil(-Math.log10(step) - 1e-9));
  return `$${value.toFixed(digits)}`;
}

export function tickMilliseconds(value: number): string {
  return value < 1000 ? `${whole.format(value)} ms` : `${whole.format(value / 1000)} s`;
}

export function count(value: number): string {
  return whole.format(value);
}

export function mebibytes(bytes: number): string {
  const size = bytes / 1024 ** 2;
  return size > 0 && size < 0.1 ? '<0.1 MiB' : `${tenths.format(size)} MiB`;
}

export function share(part: number, all: number): string {
  return percent.format(all === 0 ? 0 : part / all);
}

export function milliseconds(value: number): string {
  return value < 1000 ? `${whole.format(value)} ms` : `${(value / 1000).toFixed(2)} s`;
}

export function when(at: string | number): string {
  return moment(at);
}

/** To the second; the page names the zone. The current year is left out. */
export function second(at: string | number): string {
  const isThisYear = yearOf(at) === yearOf(Date.now());
  return isThisYear ? secondOfYear(at) : seconds(at);
}

/** To the second, with the zone. */
export function preciseWhen(at: string | number): string {
  return precise(at);
}

/** A date without a time, which is the same in every time zone. */
export function day(at: string): string {
  return date.format(new Date(`${at.slice(0, 10)}T12:00:00Z`));
}

/** The day of a moment. */
export function dayOf(at: string | number): string {
  return momentDay(at);
}

export function hourOf(at: string | number): string {
  return hour(at);
}

/** The elapsed time, in the largest unit that is at least 1. */
export function ago(at: string): string {
  const pastS = Math.max(0, (Date.now() - Date.parse(at)) / 1000);
  const [unit, seconds] = units.find(([, long]) => pastS >= long) ?? (['second', 1] as const);
  return relative.format(-Math.floor(pastS / seconds), unit);
}

export function clockTime(seconds: number): string {
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const minutes = seconds / 60;
  if (minutes < 60) return `${Math.floor(minutes)}:${twoDigits(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** Adds line breaks if the text is JSON. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Creating a formatter is slow, so the one for the last zone is kept. */
function inZone(options: Intl.DateTimeFormatOptions): (at: string | number) => string {
  let zone: string | undefined;
  let formatter = date;
  return (at) => {
    if (zone !== currentZone()) {
      zone = currentZone();
      formatter = new Intl.DateTimeFormat(locale, {
        hourCycle: 'h23',
        ...options,
        timeZone: zone,
      });
    }
    return formatter.format(new Date(at));
  };
}
