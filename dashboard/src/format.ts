// Formats numbers, amounts and times in the viewer's language and time zone.

const smallUsd = new Intl.NumberFormat(undefined, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});
const roundedUsd = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });
const whole = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const precise = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Not rounded: a search costs a fraction of a cent. */
export function usd(amount: number): string {
  return smallUsd.format(amount);
}

export function roundUsd(amount: number): string {
  return roundedUsd.format(amount);
}

export function count(value: number): string {
  return whole.format(value);
}

export function share(part: number, all: number): string {
  return percent.format(all === 0 ? 0 : part / all);
}

export function milliseconds(value: number): string {
  return value < 1000 ? `${whole.format(value)} ms` : `${(value / 1000).toFixed(2)} s`;
}

export function when(at: string | number): string {
  return moment.format(new Date(at));
}

export function preciseWhen(at: string | number): string {
  return precise.format(new Date(at));
}

/** A date without a time, which is the same in every time zone. */
export function day(at: string): string {
  return date.format(new Date(`${at.slice(0, 10)}T12:00:00`));
}

/** The elapsed time, in the largest unit that is at least 1. */
export function ago(at: string): string {
  const pastS = Math.max(0, (Date.now() - Date.parse(at)) / 1000);
  const [unit, seconds] = units.find(([, long]) => pastS >= long) ?? (['second', 1] as const);
  return relative.format(-Math.floor(pastS / seconds), unit);
}

export function clockTime(seconds: number): string {
  const rest = Math.floor(seconds % 60);
  return `${Math.floor(seconds / 60)}:${String(rest).padStart(2, '0')}`;
}
