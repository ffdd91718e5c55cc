// How often a provider answered on each day of a range.
import type { UsageDay } from '@trivium/contract';
import { share } from '../format.ts';
import { intervalsOf } from './usage-figures.ts';
import type { Days } from './usage-figures.ts';

export interface UptimeDay {
  day: string;
  /** Requests that reached it. */
  called: number;
  /** The part that it answered, in words. */
  part: string;
  tone: 'none' | 'good' | 'warn' | 'bad';
}

/** As the state of a provider: some failures are a warning, many are trouble. */
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
