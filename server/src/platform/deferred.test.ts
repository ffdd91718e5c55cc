// Work put off: on disk at once, performed together and once, whatever fails and whoever dies.
import { Database as Sqlite } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import type { Runner, Task, Value } from './database.ts';
import { makeDeferred } from './deferred.ts';
import type { FailedPiece } from './deferred.ts';

const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

/** Adds numbers up; refuses a negative one. */
const add_task: Task<number[], void> = {
  name: 'add',
  join: (lists) => lists.flat(),
  work: async (tx, numbers) => {
    if (numbers.some((number) => number < 0)) throw new Error('less than nothing');
    for (const number of numbers) await tx.run('insert into sums values ($1)', [number]);
  },
};

function openFile() {
  const sqlite = new Sqlite(':memory:');
  sqlite.run('create table deferred (task text, input text, trouble text, created_at bigint)');
  sqlite.run('create table sums (number bigint)');
  const failures: FailedPiece[] = [];
  let trouble_at = Infinity;
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
      if (transactions >= trouble_at) throw full;
      sqlite.run('commit');
    } catch (error) {
      sqlite.run('rollback');
      throw error;
    }
  };
  const known = new Map([[add_task.name, add_task as unknown as Task<never, unknown>]]);
  const column = (text: string) => sqlite.prepare(text).values().flat();
  return {
    open: () =>
      makeDeferred({ known, runner, transaction, onFailed: (failed) => failures.push(failed) }),
    failures,
    numbers: () => column('select number from sums order by rowid'),
    waiting: () => column('select input from deferred where trouble is null order by rowid'),
    troubles: () => column('select trouble from deferred where trouble is not null'),
    transactions: () => transactions,
    breakAt: (count: number) => (trouble_at = count),
  };
}

test('what is put off is written down, and performed together when somebody looks', async () => {
  const file = openFile();
  const deferred = file.open();
  await deferred.put('add', '[1,2]');
  await deferred.put('add', '[3]');
  expect(file.waiting()).toEqual(['[1,2]', '[3]']);
  expect(file.numbers()).toEqual([]);
  await deferred.perform();
  expect(file.numbers()).toEqual([1, 2, 3]);
  expect(file.waiting()).toEqual([]);
  expect(file.transactions()).toBe(1);
  await deferred.perform();
  expect(file.transactions()).toBe(1);
});

test('nobody has to look', async () => {
  const file = openFile();
  await file.open().put('add', '[1]');
  while (file.numbers().length === 0) await Bun.sleep(5);
  expect(file.waiting()).toEqual([]);
});

test('the next process performs what the last one left', async () => {
  const file = openFile();
  await file.open().put('add', '[1]');
  const next = file.open();
  await next.resume();
  expect(file.numbers()).toEqual([1]);
  await next.put('add', '[2]');
  await next.perform();
  expect(file.numbers()).toEqual([1, 2]);
});

test('what cannot be performed is kept with its reason, and the others are performed', async () => {
  const file = openFile();
  const deferred = file.open();
  for (const input of ['[1]', '[-1]', '[2]']) await deferred.put('add', input);
  await deferred.put('unheard_of', '[3]');
  await deferred.perform();
  expect(file.numbers()).toEqual([1, 2]);
  expect(file.troubles()).toEqual([
    'less than nothing',
    'unheard_of is no task that can be put off',
  ]);
  expect(file.waiting()).toEqual([]);
  await file.open().resume();
  expect(file.numbers()).toEqual([1, 2]);
  // Each was told once, and not again by the next process.
  expect(file.failures).toEqual([
    { row: 2, task: 'add', reason: 'less than nothing' },
    { row: 4, task: 'unheard_of', reason: 'unheard_of is no task that can be put off' },
  ]);
});

test('a store in trouble loses nothing, and nothing is performed twice', async () => {
  const file = openFile();
  const deferred = file.open();
  // Too long for one transaction, so the second fails where the first went well.
  const numbers = Array.from({ length: 40_000 }, (_, at) => at);
  for (let from = 0; from < numbers.length; from += 10_000) {
    await deferred.put('add', JSON.stringify(numbers.slice(from, from + 10_000)));
  }
  file.breakAt(2);
  expect(await deferred.perform().catch((error: unknown) => error)).toBe(full);
  const done = file.numbers().length;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(numbers.length);
  file.breakAt(Infinity);
  await deferred.perform();
  expect(file.numbers()).toEqual(numbers);
  expect(file.waiting()).toEqual([]);
});
