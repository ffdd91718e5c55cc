// Limits per owner, such as an account or an address: how many calls run at once, and how many
// attempts are made within a time.
import { createHash } from 'node:crypto';
import { type Clock, systemClock } from './clock.ts';
import { gaugeLimit } from './limit-gauges.ts';
import { machine } from './machine.ts';

export interface ConcurrencyLimits {
  /** The name in the metrics. */
  name?: string;
  maxRunning: number;
  maxWaiting: number;
  maxWaitMs: number;
  /** For one owner. All except an eighth if absent. */
  maxOfOne?: number;
}

export interface ConcurrencyLimiter {
  /**
   * False if the limit is reached and no slot becomes free in time. Every true must be followed by
   * `leave` with the same owner.
   */
  enter: (owner?: string, signal?: AbortSignal) => boolean | Promise<boolean>;
  leave: (owner?: string) => void;
  running: () => number;
  waiting: () => number;
}

interface Waiter {
  resolve: (entered: boolean) => void;
}

export function makeConcurrencyLimiter(
  limits: ConcurrencyLimits,
  clock: Clock,
): ConcurrencyLimiter {
  const { maxRunning, maxOfOne = maxRunning - Math.floor(maxRunning / 8) } = limits;
  const runningOf = new Map<string, number>();
  // Maps and sets keep the order of arrival, and remove an entry without a search.
  const queues = new Map<string, Set<Waiter>>();
  let running = 0;
  let waiting = 0;
  const countOf = (owner: string) => runningOf.get(owner) ?? 0;
  const start = (owner: string) => {
    running += 1;
    runningOf.set(owner, countOf(owner) + 1);
  };
  const drop = (owner: string, waiter: Waiter): boolean => {
    const queue = queues.get(owner);
    if (!queue?.delete(waiter)) return false;
    if (queue.size === 0) queues.delete(owner);
    waiting -= 1;
    return true;
  };
  /**
   * The newest call of the owner with the most waiting calls is dropped, if the new owner has
   * fewer.
   */
  const makeRoom = (owner: string): boolean => {
    if (waiting < limits.maxWaiting) return true;
    const [longest] = [...queues].toSorted(([, one], [, other]) => other.size - one.size);
    if (!longest) return false;
    const [other, queue] = longest;
    if ((queues.get(owner)?.size ?? 0) + 1 >= queue.size) return false;
    const newest = [...queue].at(-1);
    if (newest === undefined) return false;
    drop(other, newest);
    newest.resolve(false);
    return true;
  };
  const wait = (owner: string, signal: AbortSignal | undefined): Promise<boolean> => {
    const turn = makeTurn();
    const queue = queues.get(owner) ?? new Set();
    queues.set(owner, queue.add(turn.waiter));
    waiting += 1;
    const giveUp = () => {
      if (drop(owner, turn.waiter)) turn.waiter.resolve(false);
    };
    const stop = signal ? AbortSignal.any([turn.ended, signal]) : turn.ended;
    clock.sleep(limits.maxWaitMs, stop).then(giveUp, giveUp);
    return turn.promise;
  };
  gaugeLimit(limits.name, () => ({ running, waiting }));
  return {
    enter: (owner = '', signal) => {
      const isFree = running < maxRunning && countOf(owner) < maxOfOne;
      if (isFree && !queues.has(owner)) {
        start(owner);
        return true;
      }
      return makeRoom(owner) && wait(owner, signal);
    },
    leave: (owner = '') => {
      running -= 1;
      if (countOf(owner) > 1) runningOf.set(owner, countOf(owner) - 1);
      else runningOf.delete(owner);
      if (waiting === 0) return;
      // No new call can overtake a waiting one.
      for (const [next, queue] of queues) {
        const [waiter] = queue;
        if (!waiter || countOf(next) >= maxOfOne) continue;
        drop(next, waiter);
        // This owner's next turn comes after those of the others.
        if (queues.delete(next)) queues.set(next, queue);
        start(next);
        waiter.resolve(true);
        return;
      }
    },
    running: () => running,
    waiting: () => waiting,
  };
}

/** A limit of each owner alone, above which a call is refused at once. */
export function makeOwnerLimiter(name: string, maxOfOne: number): ConcurrencyLimiter {
  const limits = { name, maxRunning: Infinity, maxOfOne, maxWaiting: 0, maxWaitMs: 0 };
  return makeConcurrencyLimiter(limits, systemClock);
}

/** Throws `refusal()` if no slot becomes free in time. */
export async function runLimited<T>(
  limiter: ConcurrencyLimiter,
  owner: string,
  refusal: () => Error,
  work: () => Promise<T>,
): Promise<T> {
  if (!(await limiter.enter(owner))) throw refusal();
  try {
    return await work();
  } finally {
    limiter.leave(owner);
  }
}

function makeTurn() {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const ended = new AbortController();
  const waiter: Waiter = {
    resolve: (entered) => {
      resolve(entered);
      ended.abort();
    },
  };
  return { waiter, promise, ended: ended.signal };
}

const buckets = 2 ** 18;
const maxCount = 2 ** 16 - 1;

/**
 * Counts attempts per key within a time window, in a fixed amount of memory. Keys are hashed into
 * buckets with a per-process salt, so a client cannot choose to share a bucket.
 */
export function makeAttemptCounter(name: string, windowMs: number, clock: Clock) {
  const salt = machine.randomBytes(16);
  const counts = new Uint16Array(buckets);
  let windowStart = clock.ticks();
  let used = 0;
  const startWindow = () => {
    const now = clock.ticks();
    if (now - windowStart < windowMs) return;
    counts.fill(0);
    used = 0;
    windowStart = now;
  };
  const bucketOf = (key: string) =>
    createHash('sha256').update(salt).update(key).digest().readUInt32LE(0) % buckets;
  const at = (bucket: number) => counts[bucket] ?? 0;
  const put = (bucket: number, count: number) => {
    used += Math.sign(count) - Math.sign(at(bucket));
    counts[bucket] = count;
  };
  gaugeLimit(name, () => {
    startWindow();
    return { entries: used };
  });
  return {
    count: (key: string) => {
      startWindow();
      return at(bucketOf(key));
    },
    /** Returns a function that undoes the attempt. */
    add: (key: string) => {
      startWindow();
      const bucket = bucketOf(key);
      const window = windowStart;
      put(bucket, Math.min(maxCount, at(bucket) + 1));
      return () => {
        if (window === windowStart) put(bucket, Math.max(0, at(bucket) - 1));
      };
    },
    /** The seconds until the window ends. */
    secondsLeft: () => Math.max(1, Math.ceil((windowStart + windowMs - clock.ticks()) / 1000)),
  };
}
