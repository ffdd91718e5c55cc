// Several bookers of one journal, and the statements of one batch: a faulty row affects no other
// row, a batch runs the same number of statements whatever its size, and each row keeps its time.
import { describe, expect, test } from 'bun:test';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { commandLine } from '../../src/audit/audit.ts';
import { auditLedger } from '../../src/billing/audit-books.ts';
import { makeBatchTask } from '../../src/billing/book-batch.ts';
import { makePostgresJournal } from '../../src/billing/journal.ts';
import type { Posting } from '../../src/billing/posting.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Database, Runner, Task } from '../../src/store/database.ts';
import { type JobChange, jobRows } from '../../src/transcription/job-changes.ts';
import { insertJobs } from '../../src/transcription/store/jobs.ts';
import { type TransitionItem, transitionTask } from '../../src/transcription/job-changes.ts';
import { amountOf } from '../amount-of.ts';
import { engines, postgresEngine } from './engines.ts';
import { accountId, openLedger } from './funded-accounts.ts';
import { makeNewJob } from '../job-row.ts';
import { makeStore } from './migrated-store.ts';
import { requestRow } from './request-row.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

const plainTask = makeBatchTask();
const moment = {
  now: 5,
  random: 0,
  schedule: { poll_after_s: [1], lookup_after_s: [1] },
  provider: 'stt_a',
};

async function fund(database: Database): Promise<void> {
  await insertAccount(database, { id: accountId, name: accountId }, 0);
  const entry = { id: 'top', account_id: accountId, amount: 1_000_000, reason: 'test' };
  await openLedger(database).topup(entry);
}

function paid(id: string, cost = 100): Posting {
  const reserved = { key_id: 'key_1', amount: amountOf(100), created_at: 0 };
  const entry = { kind: 'settle', id, account_id: accountId, cost, reserved } as Posting['entry'];
  return {
    account_id: accountId,
    request: { ...requestRow(accountId), id },
    ...(entry && { entry }),
  };
}

async function journal(database: Database, id: string, batch: readonly Posting[], at: number) {
  await database.run(
    `insert into deferred (task, input, created_at, id, gateway_id)
     values ('post', $1, $2, $3, 'g')`,
    [JSON.stringify({ batch, context: { now: at } }), at, id],
  );
}

test('a row that cannot be booked is marked, and a healthy row never is', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  await fund(database);
  await journal(database, 'jrn_bad', [paid('bad', -1)], 1);
  await journal(database, 'jrn_1', [paid('one')], 2);
  const failed: unknown[] = [];
  const bookerOn = (on: Database) =>
    makePostgresJournal({
      database: on,
      task: plainTask,
      clock: systemClock,
      log: makeLog('silent'),
      countGateways: () => 3,
      gatewayId: () => 'g',
      onFailed: ({ row }) => failed.push(row),
    });
  const [second, third] = [bookerOn(database), bookerOn(database)];
  let interruptions = 0;
  // Between the failed transaction of the first booker and its next statement, the second one
  // marks the faulty row and books the others, and a healthy row arrives.
  const interrupted: Database = {
    ...database,
    run: async (text, values) => {
      if (/input|update deferred/.test(text) && interruptions === 0) {
        interruptions += 1;
        await second.book();
        await journal(database, 'jrn_2', [paid('two')], 3);
      }
      return database.run(text, values);
    },
  };
  await bookerOn(interrupted).book();
  await third.book();
  expect(interruptions).toBe(1);
  expect(await database.run('select id from deferred')).toEqual([{ id: 'jrn_bad' }]);
  expect(failed).toEqual(['jrn_bad']);
  expect(await database.run("select id from transfers where kind = 'settle' order by id")).toEqual([
    { id: 'one' },
    { id: 'two' },
  ]);
  const { violations } = await auditLedger(database);
  expect(violations.join()).toContain('request bad');
  expect(violations).toHaveLength(1);
});

test('the journal is booked in rounds until nothing is left, and only for a known gateway', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  await fund(database);
  const pauses: number[] = [];
  const sleep = async (ms: number) => {
    if (pauses.push(ms) > 9) throw new Error('It books for ever.');
  };
  const clock = { ...systemClock, sleep };
  const log = makeLog('silent');
  const parts = {
    ...{ database, task: plainTask, log, countGateways: () => 3, gatewayId: () => 'g' },
    onFailed: () => expect.unreachable(),
  };
  const tooEarly = makePostgresJournal({ ...parts, clock: systemClock });
  expect(await tooEarly.append([paid('early')], 1)).toBe(false);
  tooEarly.stop();
  await database.run("insert into gateways (id, beat) values ('g', 1)");
  for (let at = 0; at < 40; at += 1) await journal(database, `jrn_${at}`, [paid(`r${at}`)], 1);
  const { append } = makePostgresJournal({ ...parts, clock });
  expect(await append([paid('late')], 1)).toBe(true);
  const isBooked = async () => (await database.run('select 1 from deferred')).length === 0;
  await waitFor(isBooked, { what: 'the journal is booked' });
  for (let count = 0; count < 5; count += 1) await isBooked();
  expect(pauses).toEqual([300, 0]);
});

test('statements and tasks that follow each other use one session each', async () => {
  await using store = await makeStore(postgresEngine);
  const { database } = store;
  const ask = 'select pg_backend_pid() as id';
  const task = { name: 'ask', work: (tx: Runner) => tx.run(ask) };
  const turns = Array.from({ length: 5 }, (_, at) => at);
  const idsOf = async (askOnce: () => Promise<Record<string, unknown>[]>) => {
    const ids = new Set<unknown>();
    for (const _turn of turns) ids.add((await askOnce())[0]?.['id']);
    return ids.size;
  };
  // Others at the same time have sessions of their own.
  const waiting = turns.slice(2).map(() => database.run('select pg_sleep(0.2)'));
  expect(await idsOf(() => database.run(ask))).toBe(1);
  expect(await idsOf(() => database.perform(task, undefined, true))).toBe(1);
  await Promise.all(waiting);
  // More tasks than connections wait for their turn.
  const many = [...turns, ...turns].map(() => database.perform(task, undefined, true));
  expect(new Set((await Promise.all(many)).map(([row]) => row?.['id'])).size).toBe(4);
});

/** Runs a task in a transaction, and counts its statements. */
async function countStatements<I>(
  database: Database,
  task: Task<I, unknown>,
  input: I,
): Promise<number> {
  let count = 0;
  await database.transaction((tx) => {
    const counting: Runner = {
      ...tx,
      run: (text, values) => {
        count += 1;
        return tx.run(text, values);
      },
    };
    return task.work(counting, input);
  });
  return count;
}

function jobId(at: number): string {
  return `job_${String(at).padStart(3, '0')}`;
}

async function putJobs(database: Database, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, at) => jobId(at));
  await insertJobs(
    database,
    ids.map((id) => {
      const job = makeNewJob(id, { account_id: accountId });
      return { ...job, request: { ...job.request, webhook: 'https://hooks.example/' } };
    }),
  );
  await database.run("update jobs set attempt_status = 'waiting', status = 'running'");
}

/** Ends a job with its charge, its text, its event and an entry of the audit log. */
function ending(id: string): Posting {
  const linked: JobChange = {
    kind: 'ends',
    job_id: id,
    event: { kind: 'done', attempt: 1 },
    moment,
    effect: 'settle',
    readCallbackIds: [],
    result: { id: `text_${id}`, chars: 2, parts: ['{}'] },
  };
  const change = { action: 'credit.added', account_id: accountId, target: id, after: {} } as const;
  return {
    account_id: accountId,
    entry: { kind: 'settle', id: `job:${id}`, account_id: accountId, cost: amountOf(5) },
    linked,
    audit: { by: commandLine, change: change as never },
  };
}

describe.each(engines)('on $name', (engine) => {
  test('a batch runs the same number of statements, whatever its size', async () => {
    const counts: number[][] = [];
    for (const size of [1, 128]) {
      await using store = await makeStore(engine);
      const { database } = store;
      await fund(database);
      await putJobs(database, size);
      const items = Array.from({ length: size }, (_, at): TransitionItem => ({
        job_id: jobId(at),
        event: { kind: 'running', attempt: 1 },
        moment,
        owner: 'one',
      }));
      const moved = await countStatements(database, transitionTask, items);
      for (const { job_id } of items) {
        await database.run(
          `insert into holds (id, account_id, amount, created_at) values ($1, $2, 10, 1)`,
          [`job:${job_id}`, accountId],
        );
      }
      await database.run('update accounts set held = $1', [10 * size]);
      const batch = items.map(({ job_id }) => ending(job_id));
      const booked = await countStatements(database, makeBatchTask(jobRows), {
        batch,
        context: { now: 5 },
      });
      const written = ['texts', 'deliveries', 'audit_log', "jobs where status = 'completed'"];
      for (const table of written) {
        const [row] = await database.run(`select count(*) as n from ${table}`);
        expect([table, Number(row?.['n'])]).toEqual([table, size]);
      }
      counts.push([moved, booked]);
    }
    expect(counts[1]).toEqual(counts[0] ?? []);
  });

  test('rows from before midnight keep their day when they are booked after it', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await fund(database);
    const midnight = Date.UTC(2026, 10, 17);
    const times = [midnight - 1000, midnight + 1000];
    const inputs = times.map((now, at) => ({ batch: [paid(`r${at}`)], context: { now } }));
    const joined = plainTask.join?.(inputs) as (typeof inputs)[number];
    await database.transaction((tx) => plainTask.work(tx, joined));
    const rows = await database.run<{ created_at: unknown }>(
      "select created_at from transfers where kind = 'settle' order by id",
    );
    expect(rows.map(({ created_at }) => Number(created_at))).toEqual(times);
  });
});
