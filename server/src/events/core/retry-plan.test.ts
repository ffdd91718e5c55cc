// The plan of retries: pauses grow, vary a little, and end after 24 hours.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { nextAttemptAt } from './attempt.ts';

const hourMs = 60 * 60 * 1000;
const first = 1_800_000_000_000;

/** The times of all attempts of a delivery that never succeeds at once. */
function attemptsOf(randoms: () => number): number[] {
  const times = [first];
  for (;;) {
    const now = times.at(-1) ?? first;
    const next = nextAttemptAt({ attempts: times.length, first_attempt_at: first }, now, randoms());
    if (next === undefined) return times;
    times.push(next);
  }
}

test('without jitter the pauses are three times as long each time, up to three hours', () => {
  const times = attemptsOf(() => 0.5);
  const pauses = times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 1000);
  expect(pauses.slice(0, 8)).toEqual([5, 15, 45, 135, 405, 1215, 3645, 10_800]);
  expect(pauses.slice(8, -1).every((pause) => pause === 10_800)).toBe(true);
});

test('every plan ends with an attempt after exactly 24 hours, and is short', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (stream) => {
      const times = attemptsOf(() => stream.next().value ?? 0.5);
      expect(times.at(-1)).toBe(first + 24 * hourMs);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(new Set(times).size).toBe(times.length);
      expect(times.length).toBeGreaterThan(12);
      expect(times.length).toBeLessThan(25);
    }),
  );
});

test('a pause is at most a fifth shorter or longer', () => {
  const pauseAt = (random: number) =>
    (nextAttemptAt({ attempts: 3, first_attempt_at: first }, first, random) ?? 0) - first;
  expect([pauseAt(0), pauseAt(0.5), pauseAt(1)]).toEqual([36_000, 45_000, 54_000]);
});

test('after an attempt past its 24 hours, a delivery that was paused for days is given up', () => {
  const late = first + 72 * hourMs;
  expect(nextAttemptAt({ attempts: 1, first_attempt_at: first }, late, 0.5)).toBeUndefined();
});
