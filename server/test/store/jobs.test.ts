// Jobs in the store, on both engines: claims, leases, and the attempt of a dead worker.
import { describe, expect, test } from 'bun:test';
import { transcriberIds } from '@trivium/contract';
import type { Runner } from '../../src/store/database.ts';
import {
  deleteCallbacks,
  findUnread,
  insertCallback,
  markRead,
} from '../../src/transcription/store/callbacks.ts';
import { deleteJob, findJob, insertJobs, putStates } from '../../src/transcription/store/jobs.ts';
import type { JobRow } from '../../src/transcription/store/jobs.ts';
import { listJobs } from '../../src/transcription/store/job-reports.ts';
import {
  claimJobs,
  countAtWork,
  dropLeases,
  postponeJobs,
  renewLeases,
  returnLeases,
} from '../../src/transcription/store/leases.ts';
import { findPart, insertParts } from '../../src/transcription/store/callbacks.ts';
import { claimedJob } from '../claimed-job.ts';
import { engines } from './engines.ts';
import { makeNewJob } from '../job-row.ts';
import { makeStore } from './migrated-store.ts';

const claim = (owner: string, now: number, limit = 10, perAccount = 100) => ({
  owner,
  now,
  lease_until: now + 100,
  limit,
  room: transcriberIds.map((provider) => ({ provider, perAccount })),
});

async function put(on: Runner, id: string, createdAt = 1, accountId = 'acct'): Promise<void> {
  await insertJobs(on, [makeNewJob(id, { created_at: createdAt, account_id: accountId })]);
}

async function change(on: Runner, id: string, to: Partial<JobRow>, keepLease = true) {
  const job = await findJob(on, id);
  if (!job) throw new Error(`no job ${id}`);
  await putStates(on, [{ id, state: { ...job, ...to }, now: 5, keep_lease: keepLease }]);
}

for (const engine of engines) {
  describe(engine.name, () => {
    const open = async () => {
      const store = await makeStore(engine);
      await store.database.run(
        `insert into accounts (id, name, created_at) values ('acct', 'a', 0), ('acct_2', 'b', 0)`,
      );
      return store;
    };

    test('an unreadable job does not keep the others from being claimed', async () => {
      await using store = await open();
      const { database } = store;
      for (const id of ['whole', 'broken']) await put(database, id, 10);
      await database.run(`update jobs set request = '{"ask":1}' where id = 'broken'`);
      const errors: unknown[] = [];
      const claimed = await claimJobs(database, claim('one', 20), (error) => errors.push(error));
      expect(claimed.map(({ id }) => id)).toEqual(['whole']);
      expect(errors.map(String)).toEqual([
        expect.stringContaining('The request of job broken in the store cannot be read'),
      ]);
    });

    test('a due job is claimed once, the oldest first, until its lease expires', async () => {
      await using store = await open();
      const { database } = store;
      for (const [at, id] of ['late', 'early', 'middle'].entries()) {
        await put(database, id, [30, 10, 20][at]);
      }
      const first = await claimJobs(database, claim('one', 20));
      expect(first.map(({ id }) => id).toSorted()).toEqual(['early', 'middle']);
      expect(first[0]).toMatchObject({ status: 'running', attempt_status: 'queued' });
      expect(await claimJobs(database, claim('two', 20))).toEqual([]);
      const later = await claimJobs(database, claim('two', 121, 2));
      expect(later.map(({ id }) => id).toSorted()).toEqual(['early', 'middle']);
    });

    test('a claim makes the attempt of a dead worker unknown', async () => {
      await using store = await open();
      const { database } = store;
      await put(database, 'job');
      await claimJobs(database, claim('one', 10));
      await change(database, 'job', { attempt_status: 'submitting', submitted_at: 11, tries: 3 });
      expect(await claimJobs(database, claim('two', 109))).toEqual([]);
      const [taken] = await claimJobs(database, claim('two', 110));
      expect(taken).toMatchObject({ attempt_status: 'unknown', lease_owner: 'two', tries: 0 });
      expect(taken?.updated_at).toBe(110);
    });

    test('a claim changes a job in each state as the tests of the reducer assume', async () => {
      await using store = await open();
      const { database } = store;
      const states = ['queued', 'submitting', 'unknown', 'waiting', 'completed', 'failed'] as const;
      for (const status of states) {
        await put(database, status);
        const isEnded = status === 'completed' || status === 'failed';
        const state = isEnded ? { status, finished_at: 5, run_at: 6 } : { run_at: 6 };
        await change(database, status, { ...state, attempt_status: status, tries: 3 }, false);
        const before = await findJob(database, status);
        const [after] = await claimJobs(database, claim('one', 10, 1));
        if (!before || !after) throw new Error(`the ${status} job was not claimed`);
        const changed = { ...before, ...claimedJob(before) };
        const { updated_at, lease_owner } = after;
        expect(after).toEqual({ ...changed, updated_at, lease_owner });
        expect(lease_owner).toBe('one');
      }
    });

    test('every state of an attempt is recorded with its time, and once', async () => {
      await using store = await open();
      const { database } = store;
      await put(database, 'job');
      const steps = async () => {
        const { rows } = await listJobs(database, { id: 'job', limit: 1 });
        return rows[0]?.steps.map(
          ({ at, attempt, attempt_status: is }) => `${at} ${attempt} ${is}`,
        );
      };
      await claimJobs(database, claim('one', 2));
      await change(database, 'job', { attempt_status: 'submitting' });
      await claimJobs(database, claim('two', 110));
      await claimJobs(database, claim('two', 300));
      await change(database, 'job', { attempt_status: 'unknown', tries: 2 });
      await change(database, 'job', { attempt_status: 'queued', attempt: 2 });
      const before = ['1 1 queued', '5 1 submitting', '110 1 unknown', '5 2 queued'];
      expect(await steps()).toEqual(before);
      const rolledBack = database.transaction(async (tx) => {
        await change(tx, 'job', { attempt_status: 'submitting' });
        throw new Error('rolled back');
      });
      expect(await rolledBack.catch(({ message }: Error) => message)).toBe('rolled back');
      expect(await steps()).toEqual(before);
      await deleteJob(database, 'job');
      expect(await steps()).toBeUndefined();
    });

    test('a renewed lease continues, and a returned one is free at once', async () => {
      await using store = await open();
      const { database } = store;
      await put(database, 'waits');
      await put(database, 'sends');
      await claimJobs(database, claim('one', 10));
      await change(database, 'sends', { attempt_status: 'submitting' });
      await renewLeases(database, ['waits', 'sends'], 'one', 500);
      expect(await claimJobs(database, claim('two', 400))).toEqual([]);
      await returnLeases(database, ['waits', 'sends'], 'one', 400);
      const free = await claimJobs(database, claim('two', 400));
      expect(free.map(({ id }) => id)).toEqual(['waits']);
      expect((await findJob(database, 'sends'))?.attempt_status).toBe('submitting');
      await postponeJobs(database, [{ id: 'waits', owner: 'two', run_at: 450 }]);
      expect(await claimJobs(database, claim('one', 449))).toEqual([]);
      expect(await claimJobs(database, claim('one', 450))).toHaveLength(1);
      await dropLeases(database, 460);
      expect(await claimJobs(database, claim('one', 460))).toHaveLength(2);
    });

    test('accounts take turns: those with the fewest running jobs come first', async () => {
      await using store = await open();
      const { database } = store;
      for (let at = 0; at < 6; at += 1) await put(database, `many ${at}`, at);
      const first = await claimJobs(database, claim('one', 10, 2));
      expect(first.map(({ id }) => id).toSorted()).toEqual(['many 0', 'many 1']);
      for (const { id } of first) await change(database, id, { attempt_status: 'submitting' });
      await put(database, 'late of another', 9, 'acct_2');
      const [next] = await claimJobs(database, claim('one', 10, 1));
      expect(next?.id).toBe('late of another');
      // An account has a limit of its own at a provider that is not full.
      expect(await claimJobs(database, claim('one', 10, 9, 2))).toEqual([]);
      expect(await claimJobs(database, claim('one', 10, 9, 3))).toHaveLength(4);
    });

    test('queued jobs of a provider at its limit wait, but not past their deadline', async () => {
      await using store = await open();
      const { database } = store;
      await put(database, 'job');
      expect(await claimJobs(database, claim('one', 10, 10, 0))).toEqual([]);
      expect(await claimJobs(database, claim('one', 10_000, 10, 0))).toHaveLength(1);
      expect(await countAtWork(database, 10)).toEqual(new Map());
      await change(database, 'job', { attempt_status: 'waiting' });
      expect(await countAtWork(database, 10)).toEqual(
        new Map([
          ['stt_a', 1],
          ['stt_a acct', 1],
        ]),
      );
    });

    test('a callback makes its job due, whatever its time was', async () => {
      await using store = await open();
      const { database } = store;
      await put(database, 'job');
      await claimJobs(database, claim('one', 10));
      const callback = { id: 'call', job_id: 'job', attempt: 1, body_id: 'body', received_at: 50 };
      await insertParts(database, [
        { id: 'body', part: 0, job_id: 'job', made_at: 50, content: '{}' },
      ]);
      await insertCallback(database, callback);
      expect(await claimJobs(database, claim('two', 60))).toEqual([]);
      await change(database, 'job', { run_at: 9000 }, false);
      expect((await findJob(database, 'job'))?.run_at).toBe(5);
      expect(await findUnread(database, 'job')).toEqual([callback]);
      await markRead(database, callback, 60);
      expect(await findUnread(database, 'job')).toEqual([]);
      await change(database, 'job', { run_at: 9000 }, false);
      expect((await findJob(database, 'job'))?.run_at).toBe(9000);
      expect(await findPart(database, 'body', 0)).toBe('{}');
      await deleteCallbacks(database, [{ id: 'job', result_id: 'body' }]);
      expect(await findPart(database, 'body', 0)).toBe('{}');
      await deleteCallbacks(database, [{ id: 'job' }]);
      expect(await findPart(database, 'body', 0)).toBeUndefined();
      await deleteJob(database, 'job');
      expect(await findJob(database, 'job')).toBeUndefined();
    });

    test('each job goes to one of many concurrent claims', async () => {
      await using store = await open();
      const { database } = store;
      for (let at = 0; at < 40; at += 1) await put(database, `job${at}`);
      const other = await store.another();
      const both = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          claimJobs(at % 2 === 0 ? database : other, claim(`owner${at}`, 10, 5)),
        ),
      );
      const ids = both.flat().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      await other.close();
    });
  });
}
