// Waits until jobs have ended. A job that ends in this process wakes its callers at once. Any gateway
// may run it, so the store is asked as well: one query for all that are due, at intervals that grow
// from the arrival of each caller.
import type { BillingContext } from '../billing/index.ts';
import { backoff } from '../platform/backoff.ts';
import { poll } from '../platform/every.ts';
import { findOpen } from './store/job-reports.ts';

const loopMs = 100;
const pauseAfter = backoff(loopMs, 1.5, 2000);
/** The maximum in one statement. Further jobs are due in the next round. */
const maxAsked = 5000;

interface Waited {
  callers: Set<(hasEnded: boolean) => void>;
  looks: number;
  dueAt: number;
}

export type JobEnds = ReturnType<typeof makeJobEnds>;

export function makeJobEnds(context: Pick<BillingContext, 'database' | 'clock' | 'log'>) {
  const { database, clock, log } = context;
  const waiting = new Map<string, Waited>();
  let isLooping = false;
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'the store could not be asked which jobs have ended');
  /** Wakes the callers who wait for this job. */
  const note = (id: string) => {
    const { callers = [] } = waiting.get(id) ?? {};
    waiting.delete(id);
    for (const wake of callers) wake(true);
  };
  const look = async () => {
    const now = clock.ticks();
    const due = [...waiting].filter(([, { dueAt }]) => dueAt <= now).slice(0, maxAsked);
    if (due.length === 0) return;
    for (const [, one] of due) {
      one.looks += 1;
      one.dueAt = now + pauseAfter(one.looks);
    }
    const ids = due.map(([id]) => id);
    const open = await findOpen(database, ids);
    for (const id of ids) if (!open.has(id)) note(id);
  };
  const lookAgain = async () => {
    isLooping = waiting.size > 0;
    if (isLooping) await look().catch(onError);
    return !isLooping;
  };
  return {
    note,
    /** False if the signal aborts first. The job continues. */
    waitFor: (id: string, signal: AbortSignal) => {
      if (signal.aborted) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const one = { callers: waiting.get(id)?.callers ?? new Set() };
      one.callers.add(resolve);
      waiting.set(id, { ...one, looks: 0, dueAt: clock.ticks() });
      const leave = () => {
        one.callers.delete(resolve);
        if (one.callers.size === 0 && waiting.get(id)?.callers === one.callers) waiting.delete(id);
        resolve(false);
      };
      signal.addEventListener('abort', leave, { once: true });
      if (!isLooping) void poll(lookAgain, clock, Infinity, loopMs);
      return promise.finally(() => signal.removeEventListener('abort', leave));
    },
  };
}
