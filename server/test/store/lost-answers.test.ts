// What a vendor does not say, on both engines: a synchronous job whose process was killed ends once no
// answer can arrive, and one without a usable duration is charged what its result states.
import { describe, expect, test } from 'bun:test';
import { systemClock } from '../../src/platform/clock.ts';
import type { Outgoing } from '../../src/platform/http-client.ts';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import type { Database } from '../../src/store/database.ts';
import { holdId, type JobContext } from '../../src/transcription/job-context.ts';
import { createJobTransitions } from '../../src/transcription/job-transitions.ts';
import { runJob } from '../../src/transcription/run-job.ts';
import type { TranscriptReader } from '../../src/transcription/read-transcript.ts';
import { insertCallback, insertParts } from '../../src/transcription/store/callbacks.ts';
import { findJob, insertJobs } from '../../src/transcription/store/jobs.ts';
import { claimJobs } from '../../src/transcription/store/leases.ts';
import { amountOf } from '../amount-of.ts';
import { makeNewJob } from '../job-row.ts';
import { insertUploads } from '../../src/uploads/store/uploads.ts';
import { engines } from './engines.ts';
import { makeJobContext } from './job-context.ts';
import { makeStore } from './migrated-store.ts';
import { Job } from '@trivium/contract';
import { waitFor } from '../../../e2e/wait-for.ts';
import { balance, openGatewayOnStore } from './gateway-on-store.ts';

const hourMs = 3_600_000;
const sentAt = Date.UTC(2026, 10, 18, 12);
const projects = { projects: [{ project_id: 'p' }] };
const nothing = { ...projects, requests: [] };
const running = { request_id: 'dg', path: '/v1/listen?tag=job_1.1', response: null };

const cases = [
  { provider: 'stt_b', model: 'nova-3', boundS: 600, log: nothing, type: 'submission_unknown' },
  {
    provider: 'stt_b',
    model: 'whisper-large',
    boundS: 1200,
    log: { ...projects, requests: [running] },
    type: 'result_lost',
  },
  { provider: 'stt_c', model: 'scribe_v2', boundS: 900, log: {}, type: 'submission_unknown' },
] as const;

describe.each(engines)('on $name', (engine) => {
  test.each(cases)('$provider with $model ends after $boundS s', async (one) => {
    await using store = await makeStore(engine);
    const { database } = store;
    const at = { now: sentAt };
    const sent: Outgoing[] = [];
    const context = contextOn(database, at, one.log, sent);
    await submitAndDie(context, one);
    const rounds: number[] = [];
    for (;;) {
      const due = (await findJob(database, 'job_1'))?.run_at ?? Infinity;
      if (due > sentAt + 2 * hourMs) break;
      at.now = Math.max(at.now, due);
      rounds.push(at.now - sentAt);
      await runDue(context, at.now);
    }
    const job = await findJob(database, 'job_1');
    expect(job).toMatchObject({ status: 'failed', failure: { type: one.type, retryable: true } });
    expect((job?.finished_at ?? 0) - sentAt).toBe(one.boundS * 1000);
    expect(rounds.length).toBeGreaterThan(2);
    expect(job?.failure?.message).toContain('the connection on which it answers was lost');
    expect(await database.run('select id from holds')).toEqual([]);
    expect(await database.run('select id from uploads')).toEqual([]);
    expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('a job whose provider has no credential is looked at every ten seconds', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const clock = { ...systemClock, now: () => new Date(sentAt) };
    const job = { provider: 'stt_b', model: 'nova-3' } as const;
    await insertAccount(database, { id: 'acct', name: 'a' }, 0);
    const times = { created_at: sentAt, deadline_at: sentAt + hourMs };
    await insertJobs(database, [makeNewJob('job_1', { ...job, ...times })]);
    await runDue({ ...makeJobContext(database, 'o', {}), clock }, sentAt);
    expect(await findJob(database, 'job_1')).toMatchObject({ run_at: sentAt + 10_000 });
  });

  test('a callback is read behind many that cannot be read', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const at = { now: sentAt };
    const context = contextOn(database, at, {}, []);
    await submitAndDie(context, cases[0]);
    await database.run(`update jobs set attempt_status = 'waiting', provider_job_id = 'dg'`);
    for (let number = 0; number < 20; number += 1) {
      const body = { id: `text_${number}`, part: 0, job_id: 'job_1', made_at: sentAt };
      await insertParts(database, [{ ...body, content: number < 19 ? 'broken' : 'whole' }]);
      const callback = { id: `call_${number}`, job_id: 'job_1', attempt: 1, body_id: body.id };
      await insertCallback(database, { ...callback, received_at: sentAt + Math.floor(number / 7) });
    }
    const bodies: string[] = [];
    const read: TranscriptReader['read'] = async ({ texts }) => {
      bodies.push(texts.join(''));
      if (texts.join('') === 'broken') throw new Error('it cannot be read');
      return { kind: 'running' };
    };
    await runDue({ ...context, reader: { ...context.reader, read } }, at.now + 10);
    expect(bodies.toSorted()).toEqual([...Array<string>(19).fill('broken'), 'whole']);
    const left = await database.run('select body_id from callbacks where read_at is null');
    expect(left).toHaveLength(19);
  });

  test('a stored transcript is polled for until the deadline', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const at = { now: sentAt };
    const context = contextOn(database, at, {}, []);
    await submitAndDie(context, { provider: 'stt_c', model: 'scribe_v2' });
    await database.run(`update jobs set attempt_status = 'waiting', provider_job_id = 'el'`);
    at.now = sentAt + 1.5 * hourMs;
    await runDue(context, at.now);
    expect(await findJob(database, 'job_1')).toMatchObject({ attempt_status: 'waiting' });
  });
});

/** A job with a hold, sent by a process that was killed afterwards. */
async function submitAndDie(
  { database, ledger }: JobContext,
  { provider, model }: { provider: 'stt_b' | 'stt_c'; model: string },
): Promise<void> {
  await database.run(
    `insert into accounts (id, name, posted, held, created_at) values ('acct', 'a', 1000, 0, 0)`,
  );
  const times = { created_at: sentAt, deadline_at: sentAt + 2 * hourMs };
  const upload = { id: `upl_${'1'.repeat(32)}`, type: 'audio/wav', bytes: 4, seconds: 1 };
  const row = { ...upload, account_id: 'acct', created_at: sentAt, expires_at: sentAt + hourMs };
  await insertUploads(database, [row]);
  const job = makeNewJob('job_1', { provider, model, ...times });
  await insertJobs(database, [{ ...job, request: { ...job.request, upload } }]);
  await database.run(
    `update jobs set status = 'running', attempt_status = 'submitting', submitted_at = created_at,
       lease_owner = 'killed', lease_until = created_at + 1, run_at = created_at`,
  );
  const hold = { id: holdId('job_1'), account_id: 'acct', key_id: null };
  await ledger.hold({ ...hold, amount: amountOf(400), expires_at: null });
}

async function runDue(context: JobContext, now: number): Promise<void> {
  const room = [{ provider: 'stt_b', perAccount: 1 }];
  const lease = { owner: context.owner, now: now + 1, lease_until: now + 10_000 };
  for (const job of await claimJobs(context.database, { ...lease, limit: 1, room })) {
    await runJob(context, createJobTransitions(context), job);
  }
}

function contextOn(
  database: Database,
  at: { now: number },
  log: object,
  sent: Outgoing[],
): JobContext {
  const keys = { DEEPGRAM_API_KEY: 'key-1', ELEVENLABS_API_KEY: 'key-2' };
  return {
    ...makeJobContext(database, 'o', keys),
    clock: { ...systemClock, now: () => new Date(at.now) },
    send: (outgoing) => {
      sent.push(outgoing);
      const isPoll = outgoing.url.includes('/transcripts/');
      const answer = { headers: new Headers(), text: JSON.stringify(log) };
      return Promise.resolve({ ok: true, status: isPoll ? 404 : 200, ...answer });
    },
  };
}

const word = { word: 'hi', start: 0, end: 100, confidence: 1 };

test.each(engines)('on $name', async (engine) => {
  const documents = [
    { metadata: {}, words: [word] },
    { metadata: { duration: 0 }, words: [] },
    { metadata: { duration: -1, channels: 9 }, words: [] },
  ];
  let asked = 0;
  const deepgram = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      const { metadata, words } = documents[asked++ % documents.length] ?? {};
      const alternatives = [{ transcript: words?.length ? 'hi' : '', confidence: 1, words }];
      return Response.json({ metadata, results: { channels: [{ alternatives }] } });
    },
  });
  await using on = await openGatewayOnStore(engine, '5', {
    DEEPGRAM_API_KEY: 'key',
    DEEPGRAM_BASE_URL: deepgram.url.origin,
  });
  const { gateway, store } = on;
  const webhook = { url: 'https://example.org/hook', events: ['provider.unusable_duration'] };
  const made = await gateway.admin('POST', '/webhooks', webhook);
  expect(made.status).toBe(201);
  let before = (await balance(gateway)).balance_usd;
  const body = { audio_url: 'https://example.org/a.mp3', provider: 'stt_b' };
  for (const { words } of documents) {
    const held = await gateway.ask('POST', '/v1/transcriptions', { body });
    const { id } = (await held.json()) as { id: string };
    const holdUsd = before - (await balance(gateway)).balance_usd;
    const job = await waitFor(
      async () => Job.parse(await (await gateway.ask('GET', `/v1/jobs/${id}`)).json()),
      { what: 'the job ends', until: ({ status }) => status === 'completed' },
    );
    const after = (await balance(gateway)).balance_usd;
    const cost = job.result?.usage?.cost_usd ?? 0;
    expect(cost).toBeGreaterThan(0);
    expect(before - after).toBeCloseTo(cost, 6);
    if (words.length === 0 && holdUsd > 0) expect(cost).toBeCloseTo(holdUsd, 6);
    before = after;
  }
  const rows = await store.database.run(
    'select event, payload from deliveries order by created_at',
  );
  const charged = rows.map(
    ({ payload }) => (JSON.parse(String(payload)) as object)['charged_to' as never],
  );
  expect(charged).toEqual(['last_word', 'hold', 'hold'] as never);
  expect(await gateway.metrics()).toContain(
    'trivium_transcripts_without_duration_total{provider="stt_b"} 3',
  );
  await deepgram.stop(true);
});
