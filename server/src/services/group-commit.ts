// Group commit: one batch is under way, what arrives meanwhile is the next. Many share one commit.
import { nextTurn } from '../platform/clock.ts';
import type { Clock } from '../platform/clock.ts';
import { storeUnavailable } from './store-unavailable.ts';

export interface GroupCommit<T, R> {
  /** Resolves when the batch that holds the item is committed. */
  add: (item: T) => Promise<R>;
  /** Resolves when nothing is waiting or under way. */
  idle: () => Promise<void>;
  /** How many items wait for a batch. */
  depth: () => number;
}

export interface GroupCommitOptions<T, R> {
  clock: Clock;
  /** One transaction. `repeated` says that an earlier try may have been committed. */
  perform: (batch: readonly T[], repeated: boolean) => Promise<R[]>;
  /** `lost`: outcome unknown, repeat. `broken`: the store is. Else it is an item's own fault. */
  troubleOf: (error: unknown) => 'lost' | 'broken' | undefined;
  /** How many characters an item carries; a batch is bounded by their sum as well. */
  weigh?: (item: T) => number;
  /** Told of every batch that was committed. */
  onBatch?: (size: number, ms: number) => void;
}

export const max_batch = 128;
const max_batch_chars = 16 * 1024 * 1024;
const max_waiting = 10_000;
/** How long a batch is repeated after its connection was lost. */
const longest_repeat_ms = 10_000;
/** A try that takes longer is given up as lost; ids make its repeat harmless. */
const longest_try_ms = 5000;
const first_pause_ms = 20;
const longest_pause_ms = 500;

interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export function groupCommit<T, R>(options: GroupCommitOptions<T, R>): GroupCommit<T, R> {
  const waiting: Waiting<T, R>[] = [];
  let working: Promise<void> | undefined;
  const work = async () => {
    // What is asked for in the same breath shares the first batch; to wait for a whole turn of the
    // event loop would cost a single request more than a second batch costs many.
    await Promise.resolve();
    while (waiting.length > 0) {
      const lost = await performBatch(options, waiting.splice(0, batchLength(options, waiting)));
      // They waited as long as the batch before them, and the store is still not there.
      if (lost) for (const one of waiting.splice(0)) one.reject(storeUnavailable());
      await nextTurn();
    }
    working = undefined;
  };
  return {
    add: (item) => {
      if (waiting.length >= max_waiting) return Promise.reject(storeUnavailable());
      const { promise, resolve, reject } = Promise.withResolvers<R>();
      waiting.push({ item, resolve, reject });
      working ??= work();
      return promise;
    },
    idle: async () => {
      while (working) await working;
    },
    depth: () => waiting.length,
  };
}

/** At least one, however heavy it is. */
function batchLength<T, R>(
  { weigh }: GroupCommitOptions<T, R>,
  waiting: readonly Waiting<T, R>[],
): number {
  if (!weigh) return max_batch;
  let chars = 0;
  const too_heavy = waiting.findIndex(({ item }) => (chars += weigh(item)) > max_batch_chars);
  return too_heavy === -1 ? max_batch : Math.min(max_batch, Math.max(1, too_heavy));
}

/** True when the store stayed away for as long as a batch may be repeated. */
async function performBatch<T, R>(
  options: GroupCommitOptions<T, R>,
  batch: readonly Waiting<T, R>[],
): Promise<boolean> {
  const { clock, perform, troubleOf } = options;
  const items = batch.map(({ item }) => item);
  const began = clock.ticks();
  const give_up_at = began + longest_repeat_ms;
  let pause_ms = first_pause_ms;
  for (let repeated = false; ; repeated = true) {
    try {
      const results = await withinTry(perform(items, repeated));
      for (const [at, one] of batch.entries()) one.resolve(results[at] as R);
      options.onBatch?.(batch.length, clock.ticks() - began);
      return false;
    } catch (error) {
      const trouble = error === too_slow ? 'lost' : troubleOf(error);
      if (trouble === undefined && batch.length > 1) {
        // One faulty item must not take the others with it: each tries for itself.
        for (const one of batch) if (await performBatch(options, [one])) return true;
        return false;
      }
      if (trouble !== 'lost' || clock.ticks() + pause_ms > give_up_at) {
        for (const one of batch) one.reject(trouble ? storeUnavailable(error) : error);
        return trouble === 'lost';
      }
      await clock.sleep(pause_ms);
      pause_ms = Math.min(pause_ms * 2, longest_pause_ms);
    }
  }
}

const too_slow = new Error('the store did not answer in time');

async function withinTry<R>(work: Promise<R>): Promise<R> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(too_slow), longest_try_ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
