// The answers of providers to look-ups, shared by all look-ups in this process: after a crash, many
// submissions are uncertain at once, and each must not read the same records again.
import { minuteMs } from '@trivium/contract/durations';
import type { Clock } from '../platform/clock.ts';

export interface LookupAnswers {
  /** Makes the value only if it is not known. One that is not `isKept` serves this moment only. */
  share: <T>(
    key: string,
    keptMs: number,
    make: () => Promise<T>,
    isKept?: (value: T) => boolean,
  ) => Promise<T>;
  /** Counts a call with a provider's credential. False if there were too many in a minute. */
  mayCall: (source: string) => boolean;
}

export const lookupCallsPerMinute = 300;
const maxKept = 10_000;

export function makeLookupAnswers(clock: Pick<Clock, 'ticks'>): LookupAnswers {
  const kept = new Map<string, { value: Promise<unknown>; until: number }>();
  const calls = new Map<string, number[]>();
  const makeRoom = (now: number) => {
    for (const [key, { until }] of kept) {
      if (until <= now || kept.size >= maxKept) kept.delete(key);
    }
  };
  return {
    share: async <T>(
      key: string,
      keptMs: number,
      make: () => Promise<T>,
      isKept: (value: T) => boolean = () => true,
    ) => {
      const present = kept.get(key);
      if (present && present.until > clock.ticks()) return present.value as Promise<T>;
      makeRoom(clock.ticks());
      const entry = { value: make(), until: Infinity };
      kept.set(key, entry);
      const drop = () => {
        if (kept.get(key) === entry) kept.delete(key);
      };
      try {
        const value = await entry.value;
        entry.until = clock.ticks() + keptMs;
        if (!isKept(value)) drop();
        return value;
      } catch (error) {
        drop();
        throw error;
      }
    },
    mayCall: (source) => {
      const now = clock.ticks();
      const lately = (calls.get(source) ?? []).filter((at) => at > now - minuteMs);
      calls.set(source, lately);
      return lately.length < lookupCallsPerMinute && lately.push(now) > 0;
    },
  };
}
