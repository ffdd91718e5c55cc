// A delivery that is being recorded while another gateway gives its job up: the first to commit
// wins, and what was acknowledged for an open job is never lost.
import { describe, expect, test } from 'bun:test';
import { system_clock } from '../../src/platform/clock.ts';
import type { Database, Runner } from '../../src/platform/database.ts';
import { providers } from '../../src/providers/index.ts';
import { makeUnprovenRoom } from '../../src/services/delivery-body.ts';
import type { House } from '../../src/services/house.ts';
import { callbackUrl } from '../../src/services/job-desk.ts';
import type { JobDesk } from '../../src/services/job-desk.ts';
import { makeLedger } from '../../src/services/ledger.ts';
import { holdId, makeJobMoves } from '../../src/services/move-job.ts';
import { makeReader } from '../../src/services/read-transcript.ts';
import { receiveCallback } from '../../src/services/receive-callback.ts';
import { findUnread } from '../../src/store/callbacks.ts';
import { findJob, insertJob } from '../../src/store/jobs.ts';
import type { JobRow } from '../../src/store/jobs.ts';
import { amountOf } from '../amount-of.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated.ts';

const log = { debug: noop, info: noop, warn: noop, error: noop, isLevelEnabled: () => false };
const deadlineMs = 60_000;

for (const engine of engines) {
  describe(engine.name, () => {
    test('a job is not given up while a delivery for it is being recorded', async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      const other = await store.another();
      const job = await waitingJob(database);
      const giveUp = () => makeJobMoves(deskOn(other)).apply(job, lost);
      let givingUp: Promise<boolean> | undefined;
      const recording = pausedAfterEach(database, async () => {
        givingUp ??= giveUp();
        await Promise.race([givingUp, Bun.sleep(300)]);
      });
      await receiveCallback(deskOn(recording), deliveryFor(database, job));
      expect(await givingUp).toBe(false);
      expect(await findUnread(database, job.id)).toHaveLength(1);
      expect((await findJob(database, job.id))?.finished_at).toBeNull();
      await other.close();
    });

    test('what arrives after the end is thanked for, and nothing of it stays', async () => {
      await using store = await makeStore(engine);
      const { database } = store;
      const job = await waitingJob(database);
      const moves = makeJobMoves(deskOn(database));
      // The job ends after the receiver has looked at it, while the body is being stored.
      const ending = pausedBefore(database, 'insert into texts', () => moves.apply(job, lost));
      await receiveCallback(deskOn(ending), deliveryFor(database, job));
      expect((await findJob(database, job.id))?.status).toBe('failed');
      expect(await findUnread(database, job.id)).toEqual([]);
      expect(await database.run('select id from texts')).toEqual([]);
      expect(await database.run('select id from holds')).toEqual([]);
    });
  });
}

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
  await insertJob(database, {
    id,
    account_id: 'acct',
    key_id: 'key',
    request_id: 'req',
    provider: 'stt_b',
    model: 'nova-3',
    request: {
      audio_url: 'https://x.example/',
      ask: { model: 'nova-3', timestamps: 'word' },
      options: {},
    },
    created_at: now,
    deadline_at: now + deadlineMs,
  });
  await database.run(`update jobs set status = 'running', attempt_status = 'waiting'`);
  const held = await makeLedger({ database, clock: system_clock, log }).hold({
    id: holdId(id),
    account_id: 'acct',
    key_id: null,
    amount: amountOf(400),
    expires_at: null,
  });
  expect(held.kind).toBe('held');
  const job = await findJob(database, id);
  if (!job) throw new Error('the job is not there');
  return job;
}

function deskOn(database: Database): JobDesk {
  const house = {
    settings: { extras: {}, public_url: 'https://gateway.example' },
    clock: system_clock,
    log,
    database,
    ledger: makeLedger({ database, clock: system_clock, log }),
    stations: { stt_b: { provider: providers.stt_b, state: 'configured' } },
  } as unknown as House;
  return {
    house,
    secret: 's',
    owner: 'o',
    reader: makeReader(),
    chance: () => 0,
    nudge: noop,
    unproven: makeUnprovenRoom(() => 0),
  };
}

function deliveryFor(database: Database, job: JobRow) {
  const url = callbackUrl(deskOn(database), job) ?? '';
  const token = new URL(url).pathname.split('/')[3] ?? '';
  const body = new Response('{"results":{}}').body;
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
      if (text.startsWith(statement)) await pause();
      return database.run(text, values) as never;
    },
  };
}

function noop(): void {
  return undefined;
}
