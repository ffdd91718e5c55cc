// Gateways killed with -9 while files are uploaded and their jobs submitted: by a signed address of
// a bucket, by the public address and with the request. No job is submitted or charged twice,
// every job ends and reports it, and the sweep leaves nothing.
import { expect, test } from 'bun:test';
import type { SQL } from 'bun';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, GatewayProcess } from '../harness.ts';
import { submitJob } from '../jobs.ts';
import { startBucket } from '../uploads/bucket.ts';
import type { Bucket } from '../uploads/bucket.ts';
import { acceptedBy, makeWav, postFile, sha256 } from '../uploads/recordings.ts';
import type { Uploaded } from '../uploads/recordings.ts';
import {
  configureSpeech,
  counters,
  openChaos,
  reachDeadlines,
  waitUntilAllEnded,
  waitUntilSettled,
} from './job-chaos.ts';
import type { ChaosFixture } from './job-chaos.ts';
import { checkEvents } from './job-events.ts';
import { isLong } from '../lengths.ts';
import { waitFor } from '../wait-for.ts';

const kills = isLong ? 20 : 1;
const settleLimitMs = 60_000;
const answerLimitMs = 180_000;
const mib = 1024 * 1024;
const dayMs = 24 * 60 * 60_000;
const providers = ['stt_a', 'stt_b', 'stt_c'] as const;
type Way = 'a signed address' | 'the public address' | 'the request';
/** The long suite also has the other pairs: how a file is sent does not depend on the store. */
const pairs: readonly (readonly [Engine, Way])[] = [
  ['SQLite', 'the public address'],
  ['SQLite', 'the request'],
  ['PostgreSQL', 'a signed address'],
  ...(isLong
    ? ([
        ['SQLite', 'a signed address'],
        ['PostgreSQL', 'the public address'],
        ['PostgreSQL', 'the request'],
      ] as const)
    : []),
];

test.concurrent.each(pairs)('on %s by %s', async (engine, way) => {
  await using fixture = await openFixture(engine, way);
  const { chaos, store, receiver } = fixture;
  const digests: string[] = [];
  const openAi: Promise<string>[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    for (const [at, provider] of providers.entries()) {
      const bytes = makeWav(700_000, kill * providers.length + at + 1);
      digests.push(sha256(bytes));
      const { audio_url } = await uploadOnceAlone(fixture.first, bytes);
      const headers = { 'x-trivium-webhook': `${receiver.url}/request` };
      const job = await submitJob(fixture.first, { audio_url, provider }, headers);
      chaos.jobs.add(job.id);
    }
    const half = uploadHalf(fixture.first);
    await waitFor(() => fixture.partly().length, { what: 'a part of an upload is stored' });
    const bytes = makeWav(700_000, 100 + kill);
    digests.push(sha256(bytes));
    openAi.push(transcribeUntilAnswered(fixture, `talk-${kill}`, bytes));
    await Bun.sleep(kill * 40);
    for (const gateway of chaos.gateways) await gateway.kill9();
    chaos.kills += 1;
    await half;
    for (const gateway of chaos.gateways) await gateway.restart();
  }
  await waitFor(() => countRows(store, 'jobs'), {
    what: 'every job is in the store',
    limitMs: settleLimitMs,
    until: (count) => count >= chaos.jobs.size + kills,
  });
  await waitUntilSettled(store, settleLimitMs);
  await reachDeadlines(store);
  await waitUntilAllEnded(store, settleLimitMs);
  for (const id of await Promise.all(openAi)) chaos.jobs.add(id);
  // One job for each key, however often its request was sent.
  expect(chaos.jobs.size).toBe(digests.length);
  expect(await countRows(store, 'jobs')).toBe(digests.length);
  const accepted = (await acceptedBy(chaos.sandbox.url)).map(({ file }) => file?.sha256);
  const twice = digests.filter((one) => accepted.filter((other) => other === one).length > 1);
  expect(twice).toEqual([]);
  const sum = await counters(chaos, store);
  expect([sum.unfinished, sum.acceptedTwice, sum.audit]).toEqual([0, [], []]);
  expect(sum.completed).toBeGreaterThan(0);
  expect(sum.charged).toBe(sum.completed);
  // What was being submitted to a vendor that cannot be asked ends with a reason, and is free.
  expect(Object.keys(sum.failed).filter((type) => !lostTypes.includes(type))).toEqual([]);
  await checkEvents(receiver, store);
  await fixture.sweep();
});

const lostTypes = ['submission_unknown', 'result_lost', 'deadline_exceeded'];

type Fixture = ChaosFixture & {
  first: GatewayProcess;
  /** The stored parts of unfinished uploads. */
  partly: () => string[];
  /** Makes everything old, restarts, and expects that nothing is left. */
  sweep: () => Promise<void>;
};

/** In the long tests two gateways on PostgreSQL share a bucket; a folder belongs to one. */
async function openFixture(engine: Engine, way: Way): Promise<Fixture> {
  const stack = new AsyncDisposableStack();
  const bucket = way === 'a signed address' ? stack.use(await startBucket()) : undefined;
  const env = {
    ...bucket?.env,
    ...(way === 'the public address' ? {} : { TRIVIUM_PUBLIC_URL: undefined }),
  };
  const count = isLong && engine === 'PostgreSQL' && bucket ? 2 : 1;
  const opened = stack.use(await openChaos(engine, { env, count, hasWebhook: false }));
  const { chaos, store, receiver } = opened;
  const { sandbox, gateways } = chaos;
  await configureSpeech(sandbox, { processing_ms: 100, retry_every_ms: 300 });
  const [first] = gateways as [GatewayProcess];
  const place = join(first.store_dir, 'uploads');
  const files = () => (existsSync(place) ? readdirSync(place) : []);
  return {
    ...{ chaos, store, receiver, first },
    partly: () => bucket?.unfinished() ?? files().filter((name) => name.endsWith('.part')),
    sweep: async () => {
      if (bucket) expect(bucket.unfinished()).not.toEqual([]);
      await store.unsafe('update uploads set expires_at = 0');
      makeOld(place, files(), bucket);
      for (const gateway of gateways) await gateway.restart();
      const left = () => [...(bucket?.list() ?? []), ...(bucket?.unfinished() ?? []), ...files()];
      await waitFor(left, {
        what: 'every file is deleted',
        until: ({ length }) => length === 0,
      });
      await waitFor(() => countRows(store, 'uploads'), {
        what: 'every upload is forgotten',
        until: (count) => count === 0,
      });
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function makeOld(place: string, files: readonly string[], bucket: Bucket | undefined): void {
  const time = new Date(Date.now() - dayMs - 1000);
  for (const name of files) utimesSync(join(place, name), time, time);
  bucket?.age(dayMs + 1000);
}

/** On a disk, a gateway refuses uploads while the one that was killed still counts. */
async function uploadOnceAlone(gateway: GatewayProcess, bytes: Uint8Array<ArrayBuffer>) {
  const { status, body } = await waitFor(() => postFile(gateway, bytes), {
    what: 'the gateway is alone',
    until: (answer) => answer.status !== 503,
  });
  expect(status).toBe(201);
  return body as Uploaded;
}

/** Never ends by itself. More than one part of a bucket, so that an upload in parts begins. */
async function uploadHalf({ url, key }: GatewayProcess): Promise<void> {
  const body = new ReadableStream({ start: (sink) => sink.enqueue(makeWav(6 * mib)) });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'audio/wav' };
  await fetch(`${url}/v1/uploads`, { method: 'POST', headers, body }).catch(() => undefined);
}

/** Repeated under its key until there is an answer; returns the job. */
async function transcribeUntilAnswered(
  { first, receiver, store }: Fixture,
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const transcribe = async () => {
    const form = new FormData();
    form.set('file', new Blob([bytes]), 'talk.wav');
    form.set('model', 'stt_b');
    const answer = await fetch(`${first.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${first.key}`,
        'idempotency-key': key,
        'x-trivium-webhook': `${receiver.url}/request`,
      },
      body: form,
    }).catch(() => undefined);
    const job = answer?.headers.get('x-trivium-job-id');
    // A job that failed has its id in the error.
    if (job !== undefined && job !== null) return job;
    // A key that was claimed by a gateway that died is free after a minute, which is over now.
    if (answer?.status === 409) {
      await store.unsafe(`update idempotency set expires_at = 0 where state = 'running'`);
    }
    return '';
  };
  return waitFor(transcribe, { what: `${key} is answered`, limitMs: answerLimitMs });
}

async function countRows(store: SQL, table: 'jobs' | 'uploads'): Promise<number> {
  const [row] = (await store.unsafe(`select count(*) as count from ${table}`)) as [
    { count: unknown },
  ];
  return Number(row.count);
}
