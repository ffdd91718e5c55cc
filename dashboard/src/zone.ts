// The time zone of every date on the page: the person's choice, kept in this browser.
import { useSyncExternalStore } from 'react';

const storageKey = 'trivium-zone';
const dayMs = 86_400_000;
const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const listeners = new Set<() => void>();
let zone = stored() ?? ownZone;

export function currentZone(): string {
  return zone;
}

export function chooseZone(chosen: string): void {
  zone = isZone(chosen) ? chosen : ownZone;
  try {
    localStorage.setItem(storageKey, zone);
  } catch {
    // Without browser storage, the choice lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

/** Renders again when the person chooses another zone. */
export function useZone(): string {
  return useSyncExternalStore(subscribe, currentZone);
}

/** The browser's own zone and UTC first. */
export function zones(): string[] {
  return [...new Set([ownZone, 'UTC', zone, ...Intl.supportedValuesOf('timeZone')])];
}

/** The calendar day of a moment, as YYYY-MM-DD. */
export function dayIn(timeZone: string, at: string | number): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(new Date(at));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** The first moment of a day; where clocks skip midnight, the day begins later. */
export function startOfDay(timeZone: string, day: string): string {
  const noon = Date.parse(`${day}T12:00:00Z`);
  let before = noon - 2 * dayMs;
  let within = noon + 2 * dayMs;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dayIn(timeZone, middle) < day) before = middle;
    else within = middle;
  }
  return new Date(within).toISOString();
}

/** The local time of a zone at a moment, as in a datetime field: YYYY-MM-DDThh:mm. */
export function clockIn(timeZone: string, at: string | number): string {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(at));
  return `${dayIn(timeZone, at)}T${time}`;
}

/** The moment at which a zone has this local time. In a skipped hour, a moment next to it. */
export function momentAt(timeZone: string, clock: string): string {
  const shown = Date.parse(`${clock}Z`);
  const ahead = (at: number) => Date.parse(`${clockIn(timeZone, at)}Z`) - at;
  const near = shown - ahead(shown);
  return new Date(shown - ahead(near)).toISOString();
}

export function nextDay(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
}

function stored(): string | undefined {
  try {
    const kept = localStorage.getItem(storageKey);
    return kept !== null && isZone(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isZone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
