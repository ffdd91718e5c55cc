// The journal of deferred tasks: on disk at once, run in groups and once, also after a failure.
import { Database as Sqlite } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import type { Runner, Task, Value } from './database.ts';
import { makeDeferred, type FailedTask } from './deferred.ts';

const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

/** Adds numbers up; refuses a negative one. */
const addTask: Task<number[], void> = {
  name: 'add',
  join: (lists) => lists.flat(),
  work: async (tx, numbers) => {
    if (numbers.some((number) => number < 0)) throw new Error('negative number');
    for (const number of numbers) await tx.run('insert into sums values ($1)', [number]);
  },
};

function openFile() {
  const sqlite = new Sqlite(':memory:');
  sqlite.run('create table deferred (task text, input text, trouble text, created_at bigint)');
  sqlite.run('create table sums (number bigint)');
  const failures: FailedTask[] = [];
  let failsAt = Infinity;
  let transactions = 0;
  const runner: Runner = {
    run: async <T>(text: string, values: readonly Value[] = []) =>
      sqlite.prepare(text.replaceAll('$', '?')).all(...values) as T[],
    lock: () => '',
  };
  const transaction = async (work: () => Promise<void>) => {
    transactions += 1;
    sqlite.run('begin');
    try {
      await work();
      if (transactions >= failsAt) throw full;
      sqlite.run('commit');
    } catch (error) {
      sqlite.run('rollback');
      throw error;
    }
  };
  const known = new Map([[addTask.name, addTask as unknown as Task<never, unknown>]]);
  const column = (text: string) => sqlite.prepare(text).values().flat();
  return {
    open: () =>
      makeDeferred({
        tasks: known,
        runner,
        transaction,
        onFailed: (failed) => failures.push(failed),
      }),
    failures,
    numbers: () => column('select number from sums order by rowid'),
    waiting: () => column('select input from deferred where trouble is null order by rowid'),
    reasons: () => column('select trouble from deferred where trouble is not null'),
    transactions: () => transactions,
    failAt: (count: number) => (failsAt = count),
  };
}

test('deferred tasks are journaled, and run in one transaction on demand', async () => {
  const file = openFile();
  const deferred = file.open();
  await deferred.add('add', '[1,2]');
  await deferred.add('add', '[3]');
  expect(file.waiting()).toEqual(['[1,2]', '[3]']);
  expect(file.numbers()).toEqual([]);
  await deferred.runAll();
  expect(file.numbers()).toEqual([1, 2, 3]);
  expect(file.waiting()).toEqual([]);
  expect(file.transactions()).toBe(1);
  await deferred.runAll();
  expect(file.transactions()).toBe(1);
});

test('deferred tasks run by themselves after a moment', async () => {
  const file = openFile();
  await file.open().add('add', '[1]');
  while (file.numbers().length === 0) await Bun.sleep(5);
  expect(file.waiting()).toEqual([]);
});

test('the next process runs what the last one left', async () => {
  const file = openFile();
  await file.open().add('add', '[1]');
  const next = file.open();
  await next.resume();
  expect(file.numbers()).toEqual([1]);
  await next.add('add', '[2]');
  await next.runAll();
  expect(file.numbers()).toEqual([1, 2]);
});

test('a task that fails stays with its reason, and the others run', async () => {
  const file = openFile();
  const deferred = file.open();
  for (const input of ['[1]', '[-1]', '[2]']) await deferred.add('add', input);
  await deferred.add('unknown', '[3]');
  await deferred.runAll();
  expect(file.numbers()).toEqual([1, 2]);
  expect(file.reasons()).toEqual(['negative number', 'unknown is not a task that can be deferred']);
  expect(file.waiting()).toEqual([]);
  await file.open().resume();
  expect(file.numbers()).toEqual([1, 2]);
  // Each is reported once, and not again by the next process.
  expect(file.failures).toEqual([
    { row: 2, task: 'add', reason: 'negative number' },
    { row: 4, task: 'unknown', reason: 'unknown is not a task that can be deferred' },
  ]);
});

test('a failing store loses no task, and no task runs twice', async () => {
  const file = openFile();
  const deferred = file.open();
  // Too long for one transaction: the first succeeds, and the second fails.
  const numbers = Array.from({ length: 40_000 }, (_, at) => at);
  for (let from = 0; from < numbers.length; from += 10_000) {
    await deferred.add('add', JSON.stringify(numbers.slice(from, from + 10_000)));
  }
  file.failAt(2);
  expect(await deferred.runAll().catch((error: unknown) => error)).toBe(full);
  const done = file.numbers().length;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(numbers.length);
  file.failAt(Infinity);
  await deferred.runAll();
  expect(file.numbers()).toEqual(numbers);
  expect(file.waiting()).toEqual([]);
});
