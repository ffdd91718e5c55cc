// How often a provider answered on each day of a range, and how it did in each hour.
import type { ProviderHour, UsageDay } from '@trivium/contract';
import { hourMs } from '@trivium/contract/durations';
import { share } from '../format.ts';
import { intervalsOf } from '../usage/usage-figures.ts';
import type { Days } from '../usage/usage-figures.ts';

interface UptimeDay {
  day: string;
  /** Requests that reached it. */
  called: number;
  /** The share that it answered, as text. */
  part: string;
  tone: 'none' | 'good' | 'warn' | 'bad';
}

/** The same thresholds as for the state of a provider. */
const someFail = 0.02;
const oftenFail = 0.2;

export function uptimeOf(
  days: readonly Pick<UsageDay, 'day' | 'served' | 'failed'>[],
  range: Days,
): UptimeDay[] {
  return intervalsOf(range).map(({ at }) => {
    const day = at.slice(0, 10);
    const { served = 0, failed = 0 } = days.find((one) => one.day === day) ?? {};
    const called = served + failed;
    const rate = called === 0 ? 0 : failed / called;
    const tone =
      called === 0 ? 'none' : rate >= oftenFail ? 'bad' : rate >= someFail ? 'warn' : 'good';
    return { day, called, part: share(served, called), tone };
  });
}

export interface UptimeHour {
  at: number;
  called: number;
  failed: number;
  /** Null where no answer was measured. */
  mean_ms: number | null;
}

const shownHours = 30 * 24;

/** A new gateway has data for a few hours, which would be too narrow to see among 720. */
const fewestHours = 48;

/**
 * Every hour since the first request, oldest first: at least two days and at most 30, including
 * hours without a request.
 */
export function hoursUntil(now: number, known: readonly ProviderHour[]): UptimeHour[] {
  const byStart = new Map(known.map((one) => [Date.parse(one.at), one]));
  const last = Math.floor(now / hourMs) * hourMs;
  const first = Date.parse(known[0]?.at ?? new Date(last).toISOString());
  const since = Math.round((last - first) / hourMs) + 1;
  const length = Math.min(shownHours, Math.max(fewestHours, since));
  return Array.from({ length }, (_, place) => {
    const at = last - (length - 1 - place) * hourMs;
    const { served = 0, failed = 0, mean_ms = null } = byStart.get(at) ?? {};
    return { at, called: served + failed, failed, mean_ms };
  });
}
