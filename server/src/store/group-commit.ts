// Group commit: while one batch is being committed, new items queue for the next one.
import { backoff } from '../platform/backoff.ts';
import { type Clock, withTimeLimit } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';
import { happens } from '../platform/fault-points.ts';
import { gaugeLimit } from '../platform/limit-gauges.ts';
import { isUncommitted, storeTrouble, storeUnavailable } from '../platform/store-trouble.ts';
import { commitAttemptMs, commitLimitMs } from '../platform/time-limits.ts';

/**
 * With `known`, the caller waits until the item is committed or the store has certainly refused it.
 * With `attempted`, this applies only once an attempt may have committed the item; before that, the
 * item can be given up.
 */
type Patience = 'known' | 'attempted';

interface GroupCommitOptions<T, R> {
  /** The name in the metrics. */
  name?: string;
  clock: Clock;
  /** Runs one transaction. `repeated` means that an earlier attempt may have been committed. */
  perform: (batch: readonly T[], repeated: boolean) => Promise<R[]>;
  /** True if every attempt ends on its own and a failed attempt has written nothing. */
  isCertain?: boolean;
  /** If absent, an item is given up at its time limit, whatever its outcome. */
  patienceOf?: (item: T) => Patience | undefined;
  /** Called when the store refuses a batch. */
  onRefused?: (error: unknown) => void;
  /** The number of characters in an item. A batch is also limited by their sum. */
  sizeOf?: (item: T) => number;
  /** Called for each committed batch. */
  onBatch?: (size: number, ms: number) => void;
  /**
   * While several items share a batch, batches begin at least this far apart, so that they grow and
   * the store commits less often. A single item does not wait.
   */
  paceMs?: () => number;
  /** For items that no caller waits for: every batch waits this long for more of them. */
  gatherMs?: number;
  /** The maximum number of items in one batch. `maxBatch` if absent. */
  maxItems?: number;
}

export const maxBatch = 128;
const maxBatchChars = 16 * 1024 * 1024;
const maxWaiting = 10_000;
const pauseAfter = backoff(20, 2, 500);

interface PendingItem<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
  /** In clock ticks. */
  giveUpAt: number;
  isGivenUp?: true;
}

interface Queue<T, R> {
  waiting: PendingItem<T, R>[];
  isLate: boolean;
}

export function groupCommit<T, R>(options: GroupCommitOptions<T, R>) {
  const waiting: PendingItem<T, R>[] = [];
  const queue: Queue<T, R> = { waiting, isLate: false };
  let working: Promise<void> | undefined;
  let last = { size: 0, began: 0 };
  let gathering: AbortController | undefined;
  let isHurried = false;
  const gather = async (ms: number) => {
    gathering = new AbortController();
    await options.clock.sleep(ms, gathering.signal).catch(() => undefined);
    gathering = undefined;
  };
  /** Ends the wait of `gatherMs`, because a reader needs what was added so far. */
  const hurry = () => {
    isHurried = waiting.length > 0;
    gathering?.abort();
  };
  const work = async () => {
    // Items added in the same tick share the first batch. Waiting for a whole turn of the event
    // loop would delay a single request more than a second batch delays many.
    await Promise.resolve();
    while (waiting.length > 0) {
      if (options.gatherMs !== undefined && !isHurried) await gather(options.gatherMs);
      if (last.size > 1) await waitForPace(options, last.began);
      const batch = waiting.splice(0, batchLength(options, waiting));
      isHurried &&= waiting.length > 0;
      last = { size: batch.length, began: options.clock.ticks() };
      await performBatch(options, queue, batch);
      await machine.nextTurn();
    }
    working = undefined;
  };
  gaugeLimit(options.name, () => ({ waiting: waiting.length }));
  return {
    /** Resolves when the batch with this item is committed. */
    add: (item: T): Promise<R> => {
      const isFull = waiting.length >= maxWaiting && options.patienceOf?.(item) !== 'known';
      if (isFull) return Promise.reject(storeUnavailable());
      const { promise, resolve, reject } = Promise.withResolvers<R>();
      waiting.push({ item, resolve, reject, giveUpAt: options.clock.ticks() + commitLimitMs });
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
    isLate: () => queue.isLate,
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
  const longest = Math.min(maxItems, waiting.length);
  if (!sizeOf) return longest;
  let chars = 0;
  for (const [at, { item }] of waiting.slice(0, longest).entries()) {
    chars += sizeOf(item);
    if (chars > maxBatchChars) return Math.max(1, at);
  }
  return longest;
}

/** A retry is safe, because every item has an id. */
async function performBatch<T, R>(
  options: GroupCommitOptions<T, R>,
  queue: Queue<T, R>,
  batch: readonly PendingItem<T, R>[],
  mayBeCommitted = false,
): Promise<void> {
  const { clock, isCertain = false } = options;
  const items = batch.map(({ item }) => item);
  const began = clock.ticks();
  let failures = 0;
  let isUnknown = mayBeCommitted;
  let attempt: Promise<R[]> | undefined;
  for (let repeated = mayBeCommitted; ; repeated = true) {
    attempt ??= performOnce(options, items, repeated);
    try {
      const results = await withTimeLimit(attempt, commitAttemptMs, () => timedOut);
      for (const [at, one] of batch.entries()) one.resolve(results[at] as R);
      options.onBatch?.(batch.length, clock.ticks() - began);
      queue.isLate = false;
      return;
    } catch (error) {
      // If it is no trouble of the store, an item is faulty.
      const trouble = error === timedOut ? 'lost' : storeTrouble(error);
      if (trouble === undefined && batch.length > 1) {
        // One faulty item must not fail the others: each is retried on its own.
        for (const one of batch) await performBatch(options, queue, [one], isUnknown);
        return;
      }
      if (trouble) queue.isLate = true;
      if (trouble === 'broken') options.onRefused?.(error);
      if (trouble !== 'lost' && (trouble === undefined || !isUnknown)) {
        for (const one of batch) one.reject(trouble ? storeUnavailable(error) : error);
        return;
      }
      isUnknown ||= !isCertain && !isUncommitted(error);
      giveUpOverdue(options, queue, batch, isUnknown);
      if (batch.every(({ isGivenUp }) => isGivenUp)) return;
      if (error === timedOut && isCertain) continue;
      attempt = undefined;
      failures += 1;
      await clock.sleep(pauseAfter(failures));
    }
  }
}

/** One attempt, with the faults of the simulation. */
function performOnce<T, R>(
  { perform, isCertain = false }: GroupCommitOptions<T, R>,
  items: readonly T[],
  repeated: boolean,
): Promise<R[]> {
  if (items.length > 1 && happens('batch_fails')) return Promise.reject(new Error('made to fail'));
  const attempt = perform(items, repeated);
  if (isCertain || !happens('commit_unknown')) return attempt;
  return attempt.then(() => {
    throw timedOut;
  });
}

/** Items that have waited too long fail, unless they must not be given up. */
function giveUpOverdue<T, R>(
  { clock, patienceOf = () => undefined }: GroupCommitOptions<T, R>,
  queue: Queue<T, R>,
  batch: readonly PendingItem<T, R>[],
  isUnknown: boolean,
): void {
  const isOverdue = (one: PendingItem<T, R>) => one.giveUpAt <= clock.ticks();
  for (const one of batch) {
    const patience = patienceOf(one.item);
    if (!isOverdue(one) || patience === 'known' || (patience && isUnknown)) continue;
    one.isGivenUp = true;
    one.reject(storeUnavailable());
  }
  const overdue = queue.waiting.filter((one) => isOverdue(one) && patienceOf(one.item) !== 'known');
  for (const one of overdue) {
    queue.waiting.splice(queue.waiting.indexOf(one), 1);
    one.reject(storeUnavailable());
  }
}

const timedOut = new Error('the store did not answer in time');
