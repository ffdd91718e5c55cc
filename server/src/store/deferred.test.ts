// Deferred tasks: run in groups and once, also after a failure.
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
  sqlite.run('create table store_facts (name text primary key, value text)');
  const failures: FailedTask[] = [];
  let failsAt = Infinity;
  let transactions = 0;
  let booked = 0;
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
  let seq = 0;
  const record = (text: string) => ({ text, position: { salt: 1, seq: (seq += 1), at: 0 } });
  const column = (text: string) => sqlite.prepare(text).values().flat();
  return {
    open: () =>
      makeDeferred({
        tasks: known,
        runner,
        transaction,
        onFailed: (failed) => failures.push(failed),
        onBooked: (number) => (booked = number),
        onDamage: () => undefined,
      }),
    failures,
    run: (text: string) => void sqlite.run(text),
    records: (...texts: string[]) => texts.map(record),
    booked: () => booked,
    /** As the next start reads it. */
    stored: () => column("select value from store_facts where name = 'journal'"),
    numbers: () => column('select number from sums order by rowid'),
    waiting: () => column('select input from deferred where trouble is null order by rowid'),
    reasons: () => column('select trouble from deferred where trouble is not null'),
    transactions: () => transactions,
    failAt: (count: number) => (failsAt = count),
  };
}

test('records run in one transaction, which says up to where the journal is booked', async () => {
  const file = openFile();
  await file.open().add(file.records('add [1,2]', 'add [3]'));
  expect(file.numbers()).toEqual([1, 2, 3]);
  expect([file.transactions(), file.booked(), file.stored()]).toEqual([1, 2, ['1 2 0']]);
});

test('the next process runs what a backup has left in the table, once', async () => {
  const file = openFile();
  file.run("insert into deferred (task, input) values ('add', '[1]'), ('add', '[2]')");
  for (const deferred of [file.open(), file.open()]) await deferred.resume();
  expect(file.numbers()).toEqual([1, 2]);
  expect(file.waiting()).toEqual([]);
});

test('a task that fails stays with its reason, and the others run', async () => {
  const file = openFile();
  await file.open().add(file.records('add [1]', 'add [-1]', 'add [2]', 'unknown [3]'));
  expect(file.numbers()).toEqual([1, 2]);
  expect(file.reasons()).toEqual(['negative number', 'unknown is not a task that can be deferred']);
  expect([file.waiting(), file.stored()]).toEqual([[], ['1 4 0']]);
  await file.open().resume();
  expect(file.numbers()).toEqual([1, 2]);
  // Each is reported once, and not again by the next process.
  expect(file.failures).toEqual([
    { row: 1, task: 'add', reason: 'negative number' },
    { row: 2, task: 'unknown', reason: 'unknown is not a task that can be deferred' },
  ]);
});

test('a failing store loses no task, and no task runs twice', async () => {
  const file = openFile();
  const deferred = file.open();
  // Too long for one transaction: the first succeeds, and the second fails.
  const numbers = Array.from({ length: 40_000 }, (_, at) => at);
  const parts = [0, 1, 2, 3].map((part) => numbers.slice(part * 10_000, (part + 1) * 10_000));
  file.failAt(2);
  await deferred.add(file.records(...parts.map((part) => `add ${JSON.stringify(part)}`)));
  expect(await deferred.runAll().catch((error: unknown) => error)).toBe(full);
  const done = file.numbers().length;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(numbers.length);
  expect(file.booked()).toBe(done / 10_000);
  file.failAt(Infinity);
  await deferred.runAll();
  expect(file.numbers()).toEqual(numbers);
  expect([file.booked(), file.stored()]).toEqual([4, ['1 4 0']]);
});
