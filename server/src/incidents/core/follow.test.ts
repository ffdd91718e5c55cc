// When incidents begin, continue with a gap, and end.
import { expect, test } from 'bun:test';
import {
  afterFailure,
  afterSuccess,
  type Failure,
  type StoredIncident,
  type Trouble,
  withFound,
} from './follow.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const start = Date.parse('2026-11-16T09:40:00Z');
const failure = (at: number, more: Partial<Failure> = {}): Failure => ({
  ...{ from: at, until: at, reason: 'status 500', requests: 1, cost: 0 },
  ...more,
});

/** Plays the results of a process that writes after each of them, with its ticks. */
function play(results: readonly (readonly [at: number, isFailure: boolean])[], jump = () => 0) {
  const incidents: StoredIncident[] = [];
  let trouble: Trouble | undefined;
  for (const [place, [at, isFailure]] of results.entries()) {
    if (isFailure) trouble = afterFailure(trouble, failure(at), place);
    else if (trouble) trouble = afterSuccess(trouble, { began: place, at });
    if (!trouble?.isOpen) continue;
    const before = incidents.at(-1);
    const after = withFound(before, trouble, at + jump());
    if (after && after.created_at === before?.created_at) incidents.pop();
    if (after) incidents.push(after);
    const { unstored: _unstored, ended_at, ...rest } = trouble;
    trouble = ended_at === undefined ? rest : undefined;
  }
  return incidents;
}

const failing = (from: number, count: number) =>
  Array.from({ length: count }, (_, place) => [from + place * 1000, true] as const);

test('three of the latest five results begin an incident, and the next success ends it', () => {
  const [first, second] = failing(start, 2);
  expect(play([first ?? [0, true], [start + 500, false]])).toEqual([]);
  expect(play([...failing(start, 2), [start + 5000, false], [start + 6000, false]])).toEqual([]);
  expect(second?.[0]).toBe(start + 1000);
  const open = play(failing(start, 143));
  expect(open).toEqual([
    {
      ...{ created_at: start, last_at: start + 142_000, ended_at: null },
      ...{ requests: 143, cost: 0, reason: 'status 500', gaps: [] },
    },
  ]);
  const ended = play([...failing(start, 143), [start + 200_000, false], [start + 300_000, false]]);
  expect(ended).toEqual([{ ...(open[0] as StoredIncident), ended_at: start + 200_000 }]);
});

test('time alone ends nothing', () => {
  const results = [...failing(start, 3), ...failing(start + 30 * 24 * hourMs, 1)];
  expect(play(results)).toMatchObject([{ created_at: start, ended_at: null, requests: 4 }]);
});

test('what fails and succeeds every minute is one incident with gaps', () => {
  const results = Array.from({ length: 240 }, (_, minute) => {
    const at = start + minute * minuteMs;
    return [0, 10_000, 20_000].map((ms) => [at + ms, minute % 2 === 0] as const);
  });
  const [incident, ...others] = play(results.flat());
  expect(others).toEqual([]);
  expect(incident).toMatchObject({ created_at: start, requests: 360 });
  expect(incident?.gaps).toHaveLength(100);
  expect(incident?.gaps.at(-1)).toEqual([start + 237 * minuteMs, start + 238 * minuteMs]);
  const alternating = Array.from({ length: 60 }, (_, place) => {
    return [start + place * 1000, place % 2 === 0] as const;
  });
  expect(play(alternating)).toHaveLength(1);
});

test('after an hour of success, another incident begins', () => {
  const later = start + 3 * hourMs;
  const results = [...failing(start, 3), [start + 5000, false] as const, ...failing(later, 3)];
  expect(play(results)).toMatchObject([
    { created_at: start, ended_at: start + 5000 },
    { created_at: later, ended_at: null, requests: 3 },
  ]);
  // A single failure from long ago does not belong to it.
  const single = [[start, true], [start + 2 * hourMs, false], ...failing(later, 3)] as const;
  expect(play(single)).toMatchObject([{ created_at: later, requests: 3 }]);
});

test('a success that began before the latest failure proves nothing', () => {
  const trouble = [0, 1, 2].reduce<Trouble | undefined>(
    (before, tick) => afterFailure(before, failure(start + tick), tick),
    undefined,
  ) as Trouble;
  expect(afterSuccess(trouble, { began: 1, at: start + 9 })).toBe(trouble);
  expect(afterSuccess(trouble, { began: 2, at: start + 9 })?.ended_at).toBe(start + 9);
  const final = afterFailure(undefined, failure(start, { isFinal: true }), 0);
  expect(final.isOpen).toBe(true);
});

test('gateways that share a store agree, in whichever order they write', () => {
  const open = withFound(undefined, { unstored: failure(start) }, start) as StoredIncident;
  // One saw a success, another one a later failure.
  const late = withFound(open, { unstored: failure(start + 9) }, start + 10) as StoredIncident;
  expect(withFound(late, { ended_at: start + 5 }, start + 10)?.ended_at).toBeNull();
  const ended = withFound(open, { ended_at: start + 5 }, start + 10) as StoredIncident;
  expect(ended.ended_at).toBe(start + 5);
  const again = withFound(ended, { unstored: failure(start + 9) }, start + 10);
  expect(again).toMatchObject({ ended_at: null, requests: 2, gaps: [[start + 5, start + 9]] });
  // A failure from before the success arrives late.
  expect(withFound(ended, { unstored: failure(start + 3) }, start + 10)).toMatchObject({
    ...{ ended_at: start + 5, requests: 2, gaps: [] },
  });
  expect(withFound(ended, { ended_at: start + 7 }, start + 10)).toBeUndefined();
  expect(withFound(undefined, { ended_at: start }, start)).toBeUndefined();
});

test('a clock that jumps back makes no incident end before it began, or stay open', () => {
  const back = start - 3 * hourMs;
  const [incident, ...others] = play([
    ...failing(start, 3),
    ...failing(back, 3),
    [back + 9000, false],
  ]);
  expect(others).toEqual([]);
  expect(incident).toMatchObject({ created_at: start, last_at: start + 2000, requests: 6 });
  expect(incident?.ended_at).toBe(start + 2000);
});
