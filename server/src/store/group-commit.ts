// Group commit: while one batch is being committed, new items queue for the next one.
import { nextTurn } from '../platform/clock.ts';
import { withTimeLimit } from '../platform/time-limit.ts';
import type { Clock } from '../platform/clock.ts';
import { storeUnavailable } from '../platform/store-unavailable.ts';

export interface GroupCommit<T, R> {
  /** Resolves when the batch with this item is committed. */
  add: (item: T) => Promise<R>;
  /** Resolves when no item waits and no batch runs. */
  idle: () => Promise<void>;
  /** How many items wait for a batch. */
  depth: () => number;
  /** Ends the wait of `gatherMs`: a reader needs what was added so far. */
  hurry: () => void;
}

interface GroupCommitOptions<T, R> {
  clock: Clock;
  /** One transaction. `repeated` means that an earlier attempt may have been committed. */
  perform: (batch: readonly T[], repeated: boolean) => Promise<R[]>;
  /** `lost`: outcome unknown, retry. `broken`: the store failed. Undefined: an item is faulty. */
  troubleOf: (error: unknown) => 'lost' | 'broken' | undefined;
  /** The characters of an item; a batch is limited by their sum as well. */
  sizeOf?: (item: T) => number;
  /** Called for each committed batch. */
  onBatch?: (size: number, ms: number) => void;
  /**
   * While several items share a batch, batches begin at least this far apart: they grow, and the
   * store commits less often. A single item does not wait.
   */
  paceMs?: () => number;
  /** For items that no caller waits for: every batch waits this long for more of them. */
  gatherMs?: number;
  /** The most items of one batch; `maxBatch` if absent. */
  maxItems?: number;
}

export const maxBatch = 128;
const maxBatchChars = 16 * 1024 * 1024;
const maxWaiting = 10_000;
/** How long a batch is retried after its connection was lost. */
const maxRetryMs = 10_000;
/** An attempt that takes longer counts as lost. A retry is safe, because every entry has an id. */
const attemptTimeoutMs = 5000;
const firstBackoffMs = 20;
const maxBackoffMs = 500;

interface PendingItem<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export function groupCommit<T, R>(options: GroupCommitOptions<T, R>): GroupCommit<T, R> {
  const waiting: PendingItem<T, R>[] = [];
  let working: Promise<void> | undefined;
  let last = { size: 0, began: 0 };
  let gathering: AbortController | undefined;
  let isHurried = false;
  const gather = async (ms: number) => {
    gathering = new AbortController();
    await options.clock.sleep(ms, gathering.signal).catch(() => undefined);
    gathering = undefined;
  };
  const hurry = () => {
    isHurried = waiting.length > 0;
    gathering?.abort();
  };
  const work = async () => {
    // Items added in the same tick share the first batch. To wait for a whole turn of the event
    // loop would delay a single request more than a second batch delays many.
    await Promise.resolve();
    while (waiting.length > 0) {
      if (options.gatherMs !== undefined && !isHurried) await gather(options.gatherMs);
      if (last.size > 1) await waitForPace(options, last.began);
      const batch = waiting.splice(0, batchLength(options, waiting));
      isHurried &&= waiting.length > 0;
      last = { size: batch.length, began: options.clock.ticks() };
      const lost = await performBatch(options, batch);
      // The queued items have waited as long as this batch, and the store is still unavailable.
      if (lost) for (const one of waiting.splice(0)) one.reject(storeUnavailable());
      await nextTurn();
    }
    working = undefined;
  };
  return {
    add: (item) => {
      if (waiting.length >= maxWaiting) return Promise.reject(storeUnavailable());
      const { promise, resolve, reject } = Promise.withResolvers<R>();
      waiting.push({ item, resolve, reject });
      working ??= work();
      return promise;
    },
    idle: async () => {
      while (working) {
        hurry();
        await working;
      }
    },
    depth: () => waiting.length,
    hurry,
  };
}

async function waitForPace<T, R>(
  { clock, paceMs }: GroupCommitOptions<T, R>,
  began: number,
): Promise<void> {
  const restMs = began + (paceMs?.() ?? 0) - clock.ticks();
  if (restMs > 0) await clock.sleep(restMs);
}

/** At least one item, whatever its size. */
function batchLength<T, R>(
  { sizeOf, maxItems = maxBatch }: GroupCommitOptions<T, R>,
  waiting: readonly PendingItem<T, R>[],
): number {
  const most = Math.min(maxItems, waiting.length);
  if (!sizeOf) return most;
  let chars = 0;
  for (let at = 0; at < most; at += 1) {
    const pending = waiting[at];
    if (pending) chars += sizeOf(pending.item);
    if (chars > maxBatchChars) return Math.max(1, at);
  }
  return most;
}

/** True when the store stayed unavailable until the retries ended. */
async function performBatch<T, R>(
  options: GroupCommitOptions<T, R>,
  batch: readonly PendingItem<T, R>[],
): Promise<boolean> {
  const { clock, perform, troubleOf } = options;
  const items = batch.map(({ item }) => item);
  const began = clock.ticks();
  const giveUpAt = began + maxRetryMs;
  let backoffMs = firstBackoffMs;
  for (let repeated = false; ; repeated = true) {
    try {
      const results = await withTimeLimit(
        perform(items, repeated),
        attemptTimeoutMs,
        () => timedOut,
      );
      for (const [at, one] of batch.entries()) one.resolve(results[at] as R);
      options.onBatch?.(batch.length, clock.ticks() - began);
      return false;
    } catch (error) {
      const trouble = error === timedOut ? 'lost' : troubleOf(error);
      if (trouble === undefined && batch.length > 1) {
        // One faulty item must not fail the others: each is retried on its own.
        for (const one of batch) if (await performBatch(options, [one])) return true;
        return false;
      }
      if (trouble !== 'lost' || clock.ticks() + backoffMs > giveUpAt) {
        for (const one of batch) one.reject(trouble ? storeUnavailable(error) : error);
        return trouble === 'lost';
      }
      await clock.sleep(backoffMs);
      backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
    }
  }
}

const timedOut = new Error('the store did not answer in time');
