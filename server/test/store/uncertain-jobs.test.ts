// Many submissions whose outcome is uncertain after a crash: their look-ups share what the vendor
// answers, and new jobs do not wait for them. On both engines: what is claimed.
import { describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/platform/clock.ts';
import type { Outgoing, Sent } from '../../src/platform/http-client.ts';
import type { Database } from '../../src/store/database.ts';
import type { JobContext } from '../../src/transcription/job-context.ts';
import { createJobTransitions } from '../../src/transcription/job-transitions.ts';
import { lookupCallsPerMinute, makeLookupAnswers } from '../../src/transcription/look-up-job.ts';
import { insertJobs } from '../../src/transcription/store/jobs.ts';
import { claimJobs } from '../../src/transcription/store/leases.ts';
import { startWorker } from '../../src/transcription/start-jobs.ts';
import { waitFor } from '../../../e2e/wait-for.ts';
import { makeNewJob } from '../job-row.ts';
import { engines, sqliteEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { makeJobContext } from './job-context.ts';

const sentAt = Date.now() - 5000;
const hourMs = 3_600_000;

async function openWithAccounts(engine: Parameters<typeof makeStore>[0]) {
  const store = await makeStore(engine);
  await store.database.run(
    `insert into accounts (id, name, created_at) values ('acct', 'a', 0), ('acct_2', 'b', 0)`,
  );
  return store;
}

describe('the worker', () => {
  test('uncertain submissions share one list, and each transcript is read once', async () => {
    await using store = await openWithAccounts(sqliteEngine);
    const { database } = store;
    await putUncertain(database, 150);
    await putKnown(database, 100);
    const vendor = makeVendor([...namesOf('lost', 150), ...namesOf('done', 100), 'foreign']);
    const worker = start(contextOn(database, vendor.send));
    await until(database, `attempt_status = 'unknown' or attempt_status = 'submitting'`, 0);
    await worker.stop();
    const lookups = vendor.asked.filter(({ inPieces }) => inPieces !== true);
    const read = lookups.filter(({ url }) => !url.includes('?')).map(({ url }) => url);
    expect(new Set(read).size).toBe(read.length);
    expect(read.filter((url) => url.includes('done'))).toEqual([]);
    expect(lookups.length).toBeLessThan(200);
  });

  test('look-ups are bounded in a minute, and continue in the next', async () => {
    await using store = await openWithAccounts(sqliteEngine);
    const { database } = store;
    const count = lookupCallsPerMinute + 50;
    await putUncertain(database, count);
    const vendor = makeVendor(namesOf('lost', count));
    let minute = 0;
    const clock = { ...systemClock, ticks: () => systemClock.ticks() + minute };
    const worker = start({
      ...contextOn(database, vendor.send),
      clock,
      lookupAnswers: makeLookupAnswers(clock),
    });
    const untried = `attempt_status = 'submitting' or attempt_status = 'unknown' and tries = 0`;
    await waitFor(() => database.run(`select id from jobs where ${untried}`), {
      what: 'every job was looked up, or waits for the next minute',
      until: ({ length }) => length === 0,
    });
    const lookups = () => vendor.asked.filter(({ inPieces }) => inPieces !== true).length;
    expect(lookups()).toBe(lookupCallsPerMinute);
    minute = 60_000;
    const rest = async () => {
      await database.run(
        `update jobs set run_at = 0 where attempt_status = 'unknown' and lease_until is null`,
      );
      return database.run(`select id from jobs where attempt_status in ('unknown', 'submitting')`);
    };
    await waitFor(rest, { what: 'all are found', until: ({ length }) => length === 0 });
    expect(lookups()).toBeGreaterThan(lookupCallsPerMinute);
    await worker.stop();
  });

  test('a new job is submitted while a vendor answers no look-up and no poll', async () => {
    await using store = await openWithAccounts(sqliteEngine);
    const { database } = store;
    await putUncertain(database, 200);
    await putKnown(database, 200, 'waiting');
    const hanging = Promise.withResolvers<Sent>();
    const submitted: string[] = [];
    const worker = start(
      contextOn(database, ({ method, url }) => {
        if (method === 'POST') submitted.push(url);
        return hanging.promise;
      }),
    );
    const held = () => database.run(`select id from jobs where lease_owner = 'o'`);
    const counts: number[] = [];
    await waitFor(held, {
      what: 'the worker claims no more',
      until: ({ length }) => {
        counts.push(length);
        return length >= 128 && counts.slice(-20).every((count) => count === length);
      },
    });
    const id = 'job_new';
    const times = { created_at: Date.now(), deadline_at: Date.now() + hourMs };
    await insertJobs(database, [
      makeNewJob(id, { provider: 'stt_b', account_id: 'acct_2', ...times }),
    ]);
    worker.nudge();
    await waitFor(() => submitted, { what: 'the new job', until: ({ length }) => length > 0 });
    hanging.resolve({ ok: false, failure: 'timed_out', message: 'no answer' });
    await worker.stop();
  });
});

describe.each(engines)('on $name', (engine) => {
  test('a new job is claimed before older ones that are looked up', async () => {
    await using store = await openWithAccounts(engine);
    const { database } = store;
    await putUncertain(database, 5);
    // Work in progress puts the new job's account behind the others.
    await putKnown(database, 1, 'waiting', 'acct_2');
    await database.run(`update jobs set run_at = $1 where account_id = 'acct_2'`, [sentAt * 2]);
    const times = { created_at: sentAt + 10, deadline_at: sentAt + hourMs };
    await insertJobs(database, [makeNewJob('job_new', { account_id: 'acct_2', ...times })]);
    const room = [{ provider: 'stt_a', perAccount: 9 }];
    const lease = { owner: 'o', now: sentAt + 20, lease_until: sentAt + 30 };
    const [first] = await claimJobs(database, { ...lease, limit: 1, room });
    expect(first?.id).toBe('job_new');
  });

  test('a submission whose process died takes no room at its provider', async () => {
    await using store = await openWithAccounts(engine);
    const { database } = store;
    await putUncertain(database, 12, 'stt_c');
    const times = { created_at: sentAt + 10, deadline_at: sentAt + hourMs };
    await insertJobs(database, [makeNewJob('job_new', { provider: 'stt_c', ...times })]);
    const context = contextOn(database, () => Promise.reject(new Error('It is not sent.')));
    const room = [{ provider: 'stt_c', perAccount: 12 }];
    const lease = { owner: 'o', now: sentAt + 20, lease_until: sentAt + 30 };
    const claimed = await claimJobs(database, { ...lease, limit: 1, room, onlyNew: true });
    expect(claimed.map(({ id }) => id)).toEqual(['job_new']);
    const clock = { ...systemClock, now: () => new Date(sentAt + 20) };
    const moves = createJobTransitions({ ...context, clock });
    const taken = await Promise.all(claimed.map((job) => moves.take(job)));
    expect(taken).toMatchObject([{ attempt_status: 'submitting' }]);
  });
});

function namesOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}_${at}`);
}

/** Jobs whose process was killed while it submitted them. */
async function putUncertain(
  database: Database,
  count: number,
  provider: 'stt_a' | 'stt_c' = 'stt_a',
): Promise<void> {
  const times = { created_at: sentAt, deadline_at: sentAt + hourMs };
  const jobs = namesOf('lost', count).map((id) => makeNewJob(id, { provider, ...times }));
  await insertJobs(database, jobs);
  await database.run(
    `update jobs set status = 'running', attempt_status = 'submitting', submitted_at = created_at,
       lease_owner = 'killed', lease_until = created_at + 1, run_at = created_at`,
  );
}

/** Jobs whose id at the vendor is known. */
async function putKnown(
  database: Database,
  count: number,
  status: 'completed' | 'waiting' = 'completed',
  accountId = 'acct',
): Promise<void> {
  const times = { created_at: sentAt, deadline_at: sentAt + hourMs, account_id: accountId };
  await insertJobs(
    database,
    namesOf('done', count).map((id) => makeNewJob(id, times)),
  );
  const isOpen = status === 'waiting';
  await database.run(
    `update jobs set status = $1, attempt_status = $2, provider_job_id = id, submitted_at = $3,
       finished_at = $4, run_at = $5 where id like 'done%'`,
    [isOpen ? 'running' : 'completed', status, sentAt, isOpen ? null : sentAt, isOpen ? 0 : 9e15],
  );
}

/** AssemblyAI with these transcripts. The name of one is that of its job. */
function makeVendor(names: readonly string[]) {
  const asked: Outgoing[] = [];
  const pageSize = 200;
  const created = new Date(sentAt + 100).toISOString();
  const answerTo = (url: URL): object => {
    const id = url.pathname.split('/')[3];
    if (id !== undefined) {
      const webhookUrl = `https://gateway.example/callbacks/stt_a/${id}.1.sign`;
      return { id, status: 'processing', webhook_url: webhookUrl };
    }
    const before = url.searchParams.get('before_id');
    const first = before === null ? 0 : names.indexOf(before) + 1;
    const page = names.slice(first, first + pageSize);
    const isLast = first + pageSize >= names.length;
    return {
      page_details: { prev_url: isLast ? null : `https://v.example/?before_id=${page.at(-1)}` },
      transcripts: page.map((name) => ({ id: name, created, audio_url: 'https://x.example/' })),
    };
  };
  const send: JobContext['send'] = async (outgoing) => {
    asked.push(outgoing);
    await Bun.sleep(1);
    const text = JSON.stringify(answerTo(new URL(outgoing.url)));
    return { ok: true, status: 200, headers: new Headers(), text };
  };
  return { send, asked };
}

function contextOn(database: Database, send: JobContext['send']): JobContext {
  const keys = { ASSEMBLYAI_API_KEY: 'key-1', DEEPGRAM_API_KEY: 'key-2', ELEVENLABS_API_KEY: 'k' };
  return { ...makeJobContext(database, 'o', keys), send };
}

function start(context: JobContext) {
  return startWorker(context, createJobTransitions(context));
}

async function until(database: Database, which: string, count: number): Promise<void> {
  const limitMs = 30_000;
  await waitFor(() => database.run(`select id from jobs where ${which}`), {
    what: `${count} jobs are ${which}`,
    limitMs,
    until: ({ length }) => length === count,
  });
}
