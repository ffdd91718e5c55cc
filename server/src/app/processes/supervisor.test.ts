// The supervisor with real processes that end as the test says: pauses grow, and it gives up only
// when none keeps running.
import { expect, test } from 'bun:test';
import { systemClock } from '../../platform/clock.ts';
import { makeLog } from '../../platform/log.ts';
import { makeMergedMetrics, supervise } from './supervisor.ts';
import type { FromProcess } from './supervised.ts';
import { Counter, Gauge, Registry } from 'prom-client';

const rules = {
  firstPauseMs: 100,
  longestPauseMs: 300,
  steadyAfterMs: 60_000,
  maxFailures: 4,
  silentMs: 10_000,
  graceMs: 2000,
  lookEveryMs: 1000,
};
const serveForever = 'process.send({ type: "ready" }); setInterval(() => {}, 1000);';
const readyAndCrash = 'process.send({ type: "ready" }, () => process.exit(3));';

/** `program` chooses by the number of the process what it runs. */
function superviseProgram(count: number, program: (number: number) => string, given = rules) {
  const pauses: number[] = [];
  const announced: boolean[] = [];
  let afterPause = () => {};
  const supervisor = supervise({
    count,
    rules: given,
    log: makeLog('silent'),
    clock: {
      ...systemClock,
      sleep: async (ms, signal) => {
        if (ms === given.lookEveryMs) return systemClock.sleep(ms, signal);
        pauses.push(ms);
        afterPause();
        signal?.throwIfAborted();
      },
    },
    start: (number, announces, onMessage) => {
      announced.push(announces);
      return Bun.spawn([process.execPath, '-e', program(number)], {
        stdio: ['ignore', 'ignore', 'ignore'],
        ipc: (message: FromProcess) => onMessage(message),
      });
    },
  });
  return {
    ...supervisor,
    pauses,
    announced,
    onPause: (listener: () => void) => {
      afterPause = listener;
    },
  };
}

test('a first process that cannot start ends the start with its exit code', async () => {
  const { ended, announced } = superviseProgram(3, () => 'process.exit(7)');
  expect(await ended).toBe(7);
  expect(announced).toEqual([true]);
});

test('the pause grows with each failure, and when all keep failing it gives up', async () => {
  const { ended, pauses, announced } = superviseProgram(1, () => readyAndCrash);
  expect(await ended).toBe(1);
  expect(pauses).toEqual([100, 200, 300]);
  expect(announced).toEqual([true, false, false, false]);
});

test('one process that keeps failing does not end the others', async () => {
  const started: number[] = [];
  const running = superviseProgram(2, (number) => {
    started.push(number);
    return number === 1 ? serveForever : readyAndCrash;
  });
  const enough = Promise.withResolvers<void>();
  running.onPause(() => {
    if (running.pauses.length > rules.maxFailures + 1) enough.resolve();
  });
  await enough.promise;
  expect(started.filter((number) => number === 1)).toHaveLength(1);
  running.stop('SIGTERM');
  expect(await running.ended).toBe(0);
});

test('a frozen process is replaced, and one that is busy for a while is not', async () => {
  const freeze = 'process.send({ type: "ready" }, () => { for (;;); });';
  const busy = `
    process.send({ type: "ready" }, () => {
      const until = Date.now() + 150;
      while (Date.now() < until);
      setInterval(() => process.send({ type: "alive" }), 20);
    });`;
  let starts = 0;
  const quick = { ...rules, silentMs: 300, graceMs: 200, lookEveryMs: 20 };
  const replaced = Promise.withResolvers<void>();
  const program = (number: number) => {
    if (number === 2) return busy;
    starts += 1;
    if (starts === 2) replaced.resolve();
    return starts === 1 ? freeze : busy;
  };
  const running = superviseProgram(2, program, quick);
  await replaced.promise;
  running.stop('SIGTERM');
  expect(await running.ended).toBe(0);
  expect(running.announced).toHaveLength(3);
});

test('merged counters do not fall when a process ends, and gauges of it are gone', async () => {
  const merged = makeMergedMetrics(new Registry());
  const valuesOf = (count: number) => {
    const registry = new Registry();
    const registers = [registry];
    new Counter({ name: 'calls_total', help: 'Calls.', registers }).inc(count);
    new Gauge({ name: 'running', help: 'Running.', registers }).set(count);
    return registry.getMetricsAsJSON();
  };
  const [first, second, third] = await Promise.all([valuesOf(5), valuesOf(7), valuesOf(1)]);
  const linesOf = async (...running: (typeof first)[]) =>
    (await merged.render(() => running)).text.split('\n').filter((line) => /^[a-z]/.test(line));
  expect(await linesOf(first, second)).toEqual(['calls_total 12', 'running 12']);
  merged.keep(first);
  expect(await linesOf(second)).toEqual(['calls_total 12', 'running 7']);
  merged.keep(second);
  expect(await linesOf(third)).toEqual(['calls_total 13', 'running 1']);
  expect(await linesOf()).toEqual(['calls_total 12']);
});
