// Workers on one store, on both engines: once another worker has taken a row over, nothing that the
// first one writes changes it, and two gateways share the concurrency limit of a provider.
import { describe, expect, test } from 'bun:test';
import { writeEvent } from '../../src/events/write-event.ts';
import type { AttemptResult } from '../../src/events/core/attempt.ts';
import {
  pauseIfLost,
  postponeDelivery,
  putResult,
  returnDeliveries,
} from '../../src/events/store/delivery-leases.ts';
import type { Database } from '../../src/store/database.ts';
import { transitionTask } from '../../src/transcription/job-changes.ts';
import { insertJobs, putVendorUpload } from '../../src/transcription/store/jobs.ts';
import {
  claimJobs,
  countAtWork,
  postponeJobs,
  renewLeases,
  returnLeases,
} from '../../src/transcription/store/leases.ts';
import { at as momentAt } from '../claimed-job.ts';
import { makeNewJob } from '../job-row.ts';
import { engines } from './engines.ts';
import { makeFixture } from './event-fixture.ts';
import { makeStore } from './migrated-store.ts';
import { providers } from '../../src/providers/registry.ts';
import type { JobContext } from '../../src/transcription/job-context.ts';
import { maxOfOneAccount } from '../../src/transcription/core/job.ts';
import { createJobTransitions } from '../../src/transcription/job-transitions.ts';
import { makeJobContext } from './job-context.ts';

const result: AttemptResult = {
  ...{ state: 'delivered', due_at: null, last_status: 200, last_error: null, gone: false },
};
const later = 90_000;

type Write = (on: Database, id: string, owner: string) => Promise<unknown>;

const ofDeliveries: Readonly<Record<string, Write>> = {
  putResult: (on, id, owner) => putResult(on, { id, owner }, result, [], later),
  pauseIfLost: (on, id, owner) => pauseIfLost(on, { id, owner }, later),
  postponeDelivery: (on, id, owner) => postponeDelivery(on, { id, owner }, later),
  returnDeliveries: (on, _id, owner) => returnDeliveries(on, owner),
};

const ofJobs: Readonly<Record<string, Write>> = {
  renewLeases: (on, id, owner) => renewLeases(on, [id], owner, later),
  returnLeases: (on, id, owner) => returnLeases(on, [id], owner, later),
  postponeJobs: (on, id, owner) => postponeJobs(on, [{ id, owner, run_at: later }]),
  putVendorUpload: (on, id, owner) =>
    putVendorUpload(on, id, owner, { audio_url: 'https://vendor.example/1', credential: null }),
  take: (on, id, owner) =>
    on.transaction((tx) =>
      transitionTask.work(tx, [
        {
          ...{ job_id: id, owner, event: { kind: 'taken' }, moment: momentAt(120) },
          taking: { concurrency: 8, attempt: 1, sender: { callback_url: null, credential: null } },
        },
      ]),
    ),
};

describe.each(engines)('on $name', (engine) => {
  test.each(Object.entries(ofDeliveries))('a delivery: %s', async (_name, write) => {
    await using store = await makeStore(engine);
    const { database } = store;
    const { at, claim } = await makeFixture(database);
    await database.transaction((tx) =>
      writeEvent(tx, {
        ...{ type: 'job.failed', account_id: 'acct_1', subject: 'job_1' },
        ...{ at: at.now, url: 'https://receiver.example/' },
      }),
    );
    const [delivery] = await claim('first');
    const id = String(delivery?.id);
    at.now += 15_000;
    expect(await claim('second')).toHaveLength(1);
    await expectChange(database, 'deliveries', { id, write });
  });

  test.each(Object.entries(ofJobs))('a job: %s', async (_name, write) => {
    await using store = await makeStore(engine);
    const { database } = store;
    await insertJob(database);
    await takeOver(database);
    await expectChange(database, 'jobs', { id: 'job', write });
  });

  test('a job that was taken is taken again only by the worker that has its lease', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await insertJob(database);
    await takeOver(database);
    const take = ofJobs['take'];
    for (const [owner, takes] of [
      ['second', 1],
      // The answer to its first attempt was lost.
      ['second', 1],
      ['first', 0],
    ] as const) {
      const taken = (await take?.(database, 'job', owner)) as readonly unknown[];
      expect(taken.filter(Boolean)).toHaveLength(takes);
    }
  });
});

/** Nothing is changed by the first worker, and the same statement works for the second. */
async function expectChange(
  on: Database,
  table: string,
  { id, write }: { id: string; write: Write },
): Promise<void> {
  const read = () => on.run(`select * from ${table}`);
  const before = await read();
  await write(on, id, 'first');
  expect(await read()).toEqual(before);
  await write(on, id, 'second');
  expect(await read()).not.toEqual(before);
}

async function insertJob(on: Database): Promise<void> {
  await on.run(`insert into accounts (id, name, created_at) values ('acct', 'a', 0)`);
  await insertJobs(on, [makeNewJob('job')]);
}

async function takeOver(on: Database): Promise<void> {
  for (const [owner, now] of [
    ['first', 10],
    ['second', 110],
  ] as const) {
    const room = [{ provider: 'stt_a', perAccount: 1 }];
    const claim = { owner, now, lease_until: now + 100, limit: 1, room };
    expect(await claimJobs(on, claim)).toHaveLength(1);
  }
}

const jobs = 20;

function jobContextOn(database: Database, owner: string): JobContext {
  return makeJobContext(database, owner, { ELEVENLABS_API_KEY: 'key-1,key-2' });
}

for (const engine of engines) {
  describe(engine.name, () => {
    test('a provider gets jobs up to its limit, and no account takes all of them', async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      await database.run(
        `insert into accounts (id, name, created_at) values ('acct', 'a', 0), ('acct_2', 'b', 0)`,
      );
      const now = Date.now();
      for (let at = 0; at < jobs; at += 1) {
        const ask = { model: 'scribe_v2', timestamps: 'word' };
        await insertJobs(database, [
          {
            id: `job_${at}`,
            // The second account comes last, and no place stays unused.
            account_id: at < jobs - 2 ? 'acct' : 'acct_2',
            key_id: 'key',
            request_id: `req_${at}`,
            provider: 'stt_c',
            model: 'scribe_v2',
            request: { audio_url: 'https://x.example/', ask, options: {} },
            created_at: now - 1000,
            deadline_at: now + 60_000,
          },
        ]);
      }
      const other = await store.another();
      const taken = await Promise.all(
        [jobContextOn(database, 'one'), jobContextOn(other, 'two')].map(async (context) => {
          const moves = createJobTransitions(context);
          const room = [{ provider: 'stt_c', perAccount: jobs }];
          const claim = { owner: context.owner, now, lease_until: now + 60_000, room };
          const mine = await claimJobs(context.database, { ...claim, limit: jobs / 2 });
          const won = await Promise.all(mine.map((job) => moves.take(job)));
          return won.filter((job) => job !== undefined).length;
        }),
      );
      const limit = providers.stt_c.transcribe?.concurrency;
      expect(taken.reduce((sum, count) => sum + count, 0)).toBe(limit ?? 0);
      // Each gateway rotates its credentials, and each job keeps its own.
      const names = await database.run(
        `select distinct credential from jobs where credential is not null`,
      );
      expect(names).toHaveLength(2);
      const counts = await countAtWork(database, now);
      expect(counts.get('stt_c')).toBe(limit ?? 0);
      expect(counts.get('stt_c acct')).toBeLessThanOrEqual(maxOfOneAccount(limit ?? 0, false));
      expect(counts.get('stt_c acct_2')).toBeGreaterThan(0);
      await other.close();
    });
  });
}
