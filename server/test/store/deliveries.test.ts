// A callback that is being recorded while another gateway fails its job: the first commit wins, and
// a callback that was acknowledged for an open job is not lost.
import type { GatewayError } from '@trivium/contract';
import { describe, expect, test } from 'bun:test';
import type { Database, Runner } from '../../src/store/database.ts';
import { callbackUrl, holdId, type JobContext } from '../../src/transcription/job-context.ts';
import { createJobTransitions } from '../../src/transcription/job-transitions.ts';
import { receiveCallback } from '../../src/transcription/receive-callback.ts';
import { runJob } from '../../src/transcription/run-job.ts';
import { findUnread, markRead } from '../../src/transcription/store/callbacks.ts';
import { findJob, insertJobs, type JobRow } from '../../src/transcription/store/jobs.ts';
import { amountOf } from '../amount-of.ts';
import { engines } from './engines.ts';
import { makeJobContext } from './job-context.ts';
import { makeNewJob } from '../job-row.ts';
import { makeStore } from './migrated-store.ts';

const deadlineMs = 60_000;

for (const engine of engines) {
  describe(engine.name, () => {
    test('a job does not fail while a callback for it is being recorded', async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      const other = await store.another();
      const job = await waitingJob(database);
      const giveUp = () => createJobTransitions(jobContextOn(other)).apply(job, lost);
      let givingUp: Promise<boolean> | undefined;
      const recording = pausedAfterEach(database, async () => {
        givingUp ??= giveUp();
        await Promise.race([givingUp, Bun.sleep(300)]);
      });
      await receiveCallback(jobContextOn(recording), deliveryFor(database, job));
      expect(await givingUp).toBe(false);
      expect(await findUnread(database, job.id)).toHaveLength(1);
      expect((await findJob(database, job.id))?.finished_at).toBeNull();
      await other.close();
    });

    test('a callback after the end of its job is acknowledged, and not stored', async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      const job = await waitingJob(database);
      const moves = createJobTransitions(jobContextOn(database));
      // The job ends after the receiver has read it, while the body is being stored.
      const ending = pausedBefore(database, 'insert into texts', () => moves.apply(job, lost));
      await receiveCallback(jobContextOn(ending), deliveryFor(database, job));
      expect((await findJob(database, job.id))?.status).toBe('failed');
      expect(await findUnread(database, job.id)).toEqual([]);
      expect(await database.run('select id from texts')).toEqual([]);
      expect(await database.run('select id from holds')).toEqual([]);
    });

    test('a job keeps 64 callbacks that were not read, and a vendor sends more of them later', async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      const job = await waitingJob(database);
      const context = jobContextOn(database);
      const receive = () =>
        receiveCallback(context, deliveryFor(database, job)).catch((error: GatewayError) => error);
      for (let kept = 0; kept < 62; kept += 1) expect(await receive()).toBeUndefined();
      // At the same time, so that all have seen that there is room.
      const answers = await Promise.all(Array.from({ length: 6 }, receive));
      expect(answers.filter((one) => one === undefined)).toHaveLength(2);
      expect(answers.find((one) => one !== undefined)).toMatchObject({ status: 429 });
      expect(await receive()).toMatchObject({ status: 429 });
      expect(await database.run('select distinct id from texts')).toHaveLength(64);
      const [first] = await findUnread(database, job.id);
      if (first) await markRead(database, first, 1);
      expect(await receive()).toBeUndefined();
    });

    test("an unreadable callback is kept, whatever the vendor's records say", async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      const job = await waitingJob(database);
      const base = { ...jobContextOn(database), send: askedLog(`${job.id}.1`) };
      const address = callbackUrl(base, job);
      await database.run('update jobs set callback_url = $1, submitted_at = created_at', [address]);
      await receiveCallback(base, deliveryFor(database, job, JSON.stringify(transcript)));
      const round = async (context: JobContext) => {
        const present = await findJob(database, job.id);
        if (present) await runJob(context, createJobTransitions(context), present);
        return (await findJob(database, job.id))?.status;
      };
      const failing = () => Promise.reject(new Error('The reader failed.'));
      expect(await round({ ...base, reader: { ...base.reader, read: failing } })).toBe('running');
      expect(await findUnread(database, job.id)).toHaveLength(1);
      expect(await round(base)).toBe('completed');
    });
  });
}

/** The vendor's own records: it has finished, and its callback was answered with success. */
function askedLog(token: string): JobContext['send'] {
  const row = {
    request_id: 'dg-1',
    path: '/v1/listen',
    response: { code: 200, completed: new Date().toISOString(), details: { tags: [token] } },
    callback: { code: 200, attempts: 1 },
  };
  const text = JSON.stringify({ projects: [{ project_id: 'p' }], requests: [row] });
  return () => Promise.resolve({ ok: true, status: 200, headers: new Headers(), text });
}

const transcript = {
  metadata: { request_id: 'dg-1', duration: 60 },
  results: { channels: [{ alternatives: [{ transcript: 'hello', words: [] }] }] },
};

const lost = {
  kind: 'failed',
  attempt: 1,
  failure: {
    type: 'result_lost',
    message: 'It is gone.',
    provider_status: null,
    provider_code: null,
    retryable: true,
  },
} as const;

async function waitingJob(database: Database): Promise<JobRow> {
  const now = Date.now();
  await database.run(
    `insert into accounts (id, name, posted, held, created_at) values ('acct', 'a', 1000, 0, 0)`,
  );
  const id = `job_${crypto.randomUUID()}`;
  const times = { created_at: now, deadline_at: now + deadlineMs };
  await insertJobs(database, [makeNewJob(id, { provider: 'stt_b', model: 'nova-3', ...times })]);
  await database.run(`update jobs set status = 'running', attempt_status = 'waiting'`);
  const held = await jobContextOn(database).ledger.hold({
    id: holdId(id),
    account_id: 'acct',
    key_id: null,
    amount: amountOf(400),
    expires_at: null,
  });
  expect(held.kind).toBe('held');
  const job = await findJob(database, id);
  if (!job) throw new Error('The job does not exist.');
  return job;
}

function jobContextOn(database: Database): JobContext {
  const env = { DEEPGRAM_API_KEY: 'key-1', TRIVIUM_PUBLIC_URL: 'https://gateway.example' };
  return makeJobContext(database, 'o', env);
}

function deliveryFor(database: Database, job: JobRow, text = '{"results":{}}') {
  const url = callbackUrl(jobContextOn(database), job) ?? '';
  const token = new URL(url).pathname.split('/')[3] ?? '';
  const { body } = new Response(text);
  return { provider: 'stt_b' as const, token, headers: new Headers(), body };
}

/** The same store, with a pause after each statement of a transaction. */
function pausedAfterEach(database: Database, pause: () => Promise<void>): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction((tx) => {
        const slow: Runner = {
          ...tx,
          run: async (text, values) => {
            const rows = await tx.run(text, values);
            await pause();
            return rows as never;
          },
        };
        return work(slow);
      }),
  };
}

function pausedBefore(
  database: Database,
  statement: string,
  pause: () => Promise<unknown>,
): Database {
  return {
    ...database,
    run: async (text, values) => {
      if (text.includes(statement)) await pause();
      return database.run(text, values) as never;
    },
  };
}
