// Work that no caller waits for: it gathers in a queue with a limit, and is written in batches.
import { runCounted } from './every.ts';
import { gaugeLimit } from './limit-gauges.ts';
import { machine } from './machine.ts';

export interface BoundedQueue<T> {
  /** False if the queue is full: the new item is dropped, and counted. */
  add: (item: T) => boolean;
  /** Resolves when everything added so far was written, or the attempt has failed. */
  flush: () => Promise<void>;
  /** Flushes once more, and drops what could not be written. */
  stop: () => Promise<void>;
  counts: Readonly<Record<'written' | 'dropped', number>>;
}

interface QueueOptions<T> {
  /** The name in the metrics. */
  name: string;
  /** A new item is dropped while so many wait or are being written. */
  maxWaiting: number;
  /** What an item counts towards `maxWaiting`. 1 if absent. */
  sizeOf?: (item: T) => number;
  maxBatch: number;
  /** How long the first item waits for others, and the pause after a failure. */
  everyMs: number;
  /**
   * Returns how many items of the batch were refused for good, or `later` if all of them should be
   * tried again. So should they if it throws, unless `mayRetry` says otherwise.
   */
  write: (batch: readonly T[]) => Promise<number | 'later' | void>;
  onError?: (error: unknown) => void;
  /** False if an item is faulty. Each item of the batch is then written alone. */
  mayRetry?: (error: unknown) => boolean;
  /** A faulty item was dropped. */
  onFaulty?: (item: T, error: unknown) => void;
}

/** Waiting for more items does not keep the process alive. */
export function boundedQueue<T>(options: QueueOptions<T>): BoundedQueue<T> {
  const { name, maxWaiting, maxBatch, everyMs, write, onError } = options;
  const { sizeOf = () => 1, mayRetry = () => true } = options;
  // Items stay here until they are written.
  const waiting: T[] = [];
  const counts = { written: 0, dropped: 0 };
  let size = 0;
  let pause = new AbortController();
  let writing: Promise<boolean | undefined> | undefined;
  let [isRunning, isStopped] = [false, false];
  const remove = (items: number, dropped: number) => {
    for (const item of waiting.splice(0, items)) size -= sizeOf(item);
    counts.written += items - dropped;
    counts.dropped += dropped;
  };
  /** False if the items should be tried again later. */
  const writeFirst = async (items: number): Promise<boolean> => {
    const batch = waiting.slice(0, items);
    try {
      const dropped = await write(batch);
      if (dropped === 'later') return false;
      remove(items, dropped ?? 0);
    } catch (error) {
      if (mayRetry(error)) throw error;
      const [first] = batch;
      if (items === 1 && first !== undefined) {
        options.onFaulty?.(first, error);
        remove(1, 1);
      }
      for (let left = items > 1 ? items : 0; left > 0; left -= 1) {
        if (!(await writeFirst(1))) return false;
      }
    }
    return true;
  };
  /** True if everything that waited was written. */
  const writeAll = async () => {
    for (let left = waiting.length; left > 0; left -= maxBatch) {
      if (!(await writeFirst(Math.min(left, maxBatch)))) return false;
    }
    return true;
  };
  const round = () =>
    (writing ??= runCounted({ name, work: writeAll, onError }).finally(() => {
      writing = undefined;
    }));
  const run = async () => {
    isRunning = true;
    let hasWritten = true;
    while (waiting.length > 0 && !isStopped) {
      pause = new AbortController();
      // A batch that became full during a round does not wait.
      if (hasWritten && waiting.length >= maxBatch) pause.abort();
      const options = { ref: false, signal: pause.signal };
      await machine.sleep(everyMs, options).catch(() => undefined);
      hasWritten = waiting.length === 0 || (await round()) === true;
    }
    isRunning = false;
  };
  const flush = async () => {
    await writing;
    if (waiting.length > 0) await round();
  };
  gaugeLimit(name, () => ({ waiting: waiting.length }));
  return {
    add: (item) => {
      if (isStopped || size >= maxWaiting) {
        counts.dropped += 1;
        return false;
      }
      waiting.push(item);
      size += sizeOf(item);
      if (!isRunning) void run();
      if (waiting.length === maxBatch) pause.abort();
      return true;
    },
    flush,
    stop: async () => {
      isStopped = true;
      pause.abort();
      await flush();
      remove(waiting.length, waiting.length);
    },
    counts,
  };
}
