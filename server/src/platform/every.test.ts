// Repeated work: rounds never overlap, survive errors, end with a stop, and are counted.
import { expect, test } from 'bun:test';
import { every, poll } from './every.ts';
import { registerRepeated } from './metrics.ts';
import type { Sample } from './limit-gauges.ts';

/** A task whose rounds last until the test ends them. */
function makeTask(name: string) {
  const rounds: PromiseWithResolvers<void>[] = [];
  const begun: PromiseWithResolvers<void>[] = [Promise.withResolvers()];
  const work = () => {
    const round = Promise.withResolvers<void>();
    rounds.push(round);
    begun.at(-1)?.resolve();
    begun.push(Promise.withResolvers());
    return round.promise;
  };
  return { task: { name, work }, rounds, begun: (round: number) => begun[round]?.promise };
}

function countsOf(task: string): Record<string, number | undefined> {
  const counts: Record<string, number | undefined> = {};
  registerRepeated({
    total: (name, _help, _labels, read: () => readonly Sample[]) => {
      counts[name] = read().find(({ labels }) => labels['task'] === task)?.value;
    },
  });
  return counts;
}

const longMs = 1e9;

test('a round begins only when the one before it has ended', async () => {
  const { task, rounds, begun } = makeTask('overlap');
  const repeated = every(1, task);
  await begun(0);
  repeated.runNow();
  repeated.runNow();
  await Bun.sleep(5);
  expect(rounds).toHaveLength(1);
  rounds[0]?.resolve();
  await begun(1);
  expect(rounds).toHaveLength(2);
  repeated.stop();
  rounds[1]?.resolve();
});

test('a round that is asked for does not wait for the end of the pause', async () => {
  const { task, rounds, begun } = makeTask('now');
  const repeated = every(longMs, task);
  repeated.runNow();
  await begun(0);
  rounds[0]?.resolve();
  repeated.stop();
});

test('no round begins after the stop', async () => {
  const { task, rounds, begun } = makeTask('stopped');
  const repeated = every(longMs, { ...task, startsNow: true });
  await begun(0);
  repeated.stop();
  repeated.runNow();
  rounds[0]?.resolve();
  await Bun.sleep(0);
  expect(rounds).toHaveLength(1);
});

test('an error ends its round only, and is counted', async () => {
  const errors: unknown[] = [];
  const third = Promise.withResolvers<void>();
  let round = 0;
  const repeated = every(0, {
    name: 'failing',
    work: () => {
      round += 1;
      if (round === 3) third.resolve();
      if (round === 2) throw new Error('the second round fails');
    },
    onError: (error) => errors.push(error),
  });
  await third.promise;
  repeated.stop();
  await Bun.sleep(0);
  expect(errors).toEqual([new Error('the second round fails')]);
  expect(countsOf('failing')).toEqual({
    trivium_task_runs_total: 3,
    trivium_task_failures_total: 1,
    trivium_task_seconds_total: expect.any(Number),
  });
});

test('a poll ends with the first yes, or when its time is over', async () => {
  let now = 0;
  const sleep = (ms: number) => Promise.resolve(void (now += ms));
  const clock = { ticks: () => now, sleep };
  expect(await poll(() => now === 30, clock, 50, 10)).toBe(true);
  expect(now).toBe(30);
  expect(await poll(() => Promise.resolve(false), clock, 50, 10)).toBe(false);
  expect(now).toBe(50);
  expect(await poll(() => true, clock, 50, 10)).toBe(true);
});
