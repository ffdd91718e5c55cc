// Counts attempts per key within a time window, in a fixed amount of memory. Keys are hashed into
// buckets with a per-process salt, so a client cannot choose to share a bucket.
import { createHash } from 'node:crypto';
import type { Clock } from './clock.ts';
import { machine } from './machine.ts';

export interface AttemptCounter {
  count: (key: string) => number;
  /** Returns a function that undoes the attempt. */
  add: (key: string) => () => void;
  /** The seconds until the window ends. */
  secondsLeft: () => number;
}

const buckets = 2 ** 18;
const maxCount = 2 ** 16 - 1;

export function makeAttemptCounter(windowMs: number, clock: Clock): AttemptCounter {
  const salt = machine.randomBytes(16);
  const counts = new Uint16Array(buckets);
  let windowStart = clock.ticks();
  const startWindow = () => {
    const now = clock.ticks();
    if (now - windowStart < windowMs) return;
    counts.fill(0);
    windowStart = now;
  };
  const bucketOf = (key: string) =>
    createHash('sha256').update(salt).update(key).digest().readUInt32LE(0) % buckets;
  const at = (bucket: number) => counts[bucket] ?? 0;
  return {
    count: (key) => {
      startWindow();
      return at(bucketOf(key));
    },
    add: (key) => {
      startWindow();
      const bucket = bucketOf(key);
      const window = windowStart;
      counts[bucket] = Math.min(maxCount, at(bucket) + 1);
      return () => {
        if (window === windowStart) counts[bucket] = Math.max(0, at(bucket) - 1);
      };
    },
    secondsLeft: () => Math.max(1, Math.ceil((windowStart + windowMs - clock.ticks()) / 1000)),
  };
}
