// Counts attempts by a key within a window of time, in memory of a fixed size however many keys
// there are: keys share places, and who shares with whom is chosen anew by each process.
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

export interface AttemptCounter {
  count: (key: string) => number;
  /** Answers how to take it back. */
  add: (key: string) => () => void;
  /** Until the counts begin anew. */
  secondsLeft: () => number;
}

const places = 2 ** 18;
const most = 2 ** 16 - 1;

export function makeAttemptCounter(windowMs: number, clock: Clock): AttemptCounter {
  const salt = randomBytes(16);
  const counts = new Uint16Array(places);
  let begun = clock.ticks();
  const renew = () => {
    const now = clock.ticks();
    if (now - begun < windowMs) return;
    counts.fill(0);
    begun = now;
  };
  const placeOf = (key: string) =>
    createHash('sha256').update(salt).update(key).digest().readUInt32LE(0) % places;
  const at = (place: number) => counts[place] ?? 0;
  return {
    count: (key) => {
      renew();
      return at(placeOf(key));
    },
    add: (key) => {
      renew();
      const place = placeOf(key);
      const window = begun;
      counts[place] = Math.min(most, at(place) + 1);
      return () => {
        if (window === begun) counts[place] = Math.max(0, at(place) - 1);
      };
    },
    secondsLeft: () => Math.max(1, Math.ceil((begun + windowMs - clock.ticks()) / 1000)),
  };
}
