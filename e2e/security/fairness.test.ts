// One hostile account beside an honest one. The vendor answers only when the
// test says so, so waiting is counted in answers of the vendor and not in time.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { leastCalls } from '../../server/src/upstream/core/circuits.ts';
import { asOperator, makeAccount, operatorToken } from '../billing/small-account.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import type { Answer } from '../http-client.ts';
import { makeWav } from '../uploads/recordings.ts';
import { exaAnswer } from '../upstream.ts';
import { vendorSettings } from '../vendor-settings.ts';
import { waitFor } from '../wait-for.ts';

const atVendor = 8;
const inQueue = 16;
const inProgress = 64;

interface Call {
  isHonest: boolean;
  answer: () => void;
}

/** The vendor of every tool: calls wait until the test answers them, or get a 500. */
function startVendor() {
  const waiting: Call[] = [];
  let isBroken = false;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const text = await request.text();
      const isHonest = text.includes('honest');
      if (isBroken) return isHonest ? answerTo(request.url) : new Response('', brokenVendor);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ isHonest, answer: resolve });
      await promise;
      return answerTo(request.url);
    },
  });
  return {
    url: server.url.origin,
    waiting,
    break: () => (isBroken = true),
    /** Until the vendor has as many calls of the honest account. */
    hasCalls: async (count: number) => {
      const calls = () => waiting.filter(({ isHonest }) => isHonest).length;
      const what = 'the honest account reaches the vendor';
      await waitFor(calls, { what, until: (now) => now >= count });
    },
    isBusy: async () => {
      await waitFor(() => waiting.length, {
        what: 'the vendor has all calls of one account',
        until: (calls) => calls >= atVendor - 1,
      });
    },
    /** Answers the oldest call. */
    answerOne: () => waiting.shift()?.answer(),
    answerAll: () => {
      for (const { answer } of waiting.splice(0)) answer();
    },
    stop: () => server.stop(true),
  };
}

const brokenVendor = { status: 500 };

function answerTo(url: string): Response {
  if (url.includes('/speech-to-text')) {
    return Response.json({ text: 'hello', language_code: 'en', words: [], transcription_id: 't' });
  }
  return exaAnswer([]);
}

let gateway: Gateway;
let vendor: ReturnType<typeof startVendor>;
let hostile: Side;
let honest: Side;

type Side = (path: string, body: object, more?: Record<string, string>) => Promise<Answer>;

beforeAll(async () => {
  vendor = startVendor();
  gateway = await startGateway({
    sandbox: vendor.url,
    env: {
      ...vendorSettings(vendor.url),
      TRIVIUM_ADMIN_TOKEN: operatorToken,
      TRIVIUM_MAX_REQUESTS: String(inProgress),
      TRIVIUM_PROVIDER_CONCURRENCY: String(atVendor),
      TRIVIUM_PROVIDER_QUEUE: String(inQueue),
      TRIVIUM_PROVIDER_QUEUE_MS: '60000',
    },
  });
  [hostile, honest] = [await newSide(), await newSide()];
});
afterAll(async () => {
  vendor.answerAll();
  await gateway.close();
  await vendor.stop();
});

async function newSide(): Promise<Side> {
  const { headers } = await makeAccount(gateway, 5000);
  return (path, body, more = {}) => gateway.post(path, body, { ...headers, ...more });
}

const ask = (who: string) => ({ query: who, provider: 'engine_a' });

test('an account that sends requests without end does not delay another one', async () => {
  const flood = Array.from({ length: 2 * inProgress }, () => hostile('/v1/search', ask('hostile')));
  await vendor.isBusy();
  // Alone, two parallel requests need two answers of the vendor, and so they do here.
  const two = [honest('/v1/search', ask('honest')), honest('/v1/search', ask('honest'))];
  await vendor.hasCalls(1);
  // The first has a place that the other account cannot take; the second is next but one.
  let answers = 0;
  const hasSecond = () => vendor.waiting.filter(({ isHonest }) => isHonest).length === 2;
  while (!hasSecond() && answers < inQueue) {
    vendor.answerOne();
    answers += 1;
    const before = vendor.waiting.length;
    await waitFor(() => vendor.waiting.length !== before || hasSecond(), {
      what: 'the next call reaches the vendor',
    });
  }
  // On a busy machine the second may arrive after the first answers; the flood before it is
  // twice as long.
  expect(answers).toBeLessThan(inQueue / 2);
  await answering(async () => {
    expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200]);
    const answers = (await Promise.all(flood)).map(
      ({ status, headers }) => `${status} ${headers.get('retry-after')}`,
    );
    expect([...new Set(answers)].toSorted()).toEqual(['200 null', '503 1']);
  });
});

/** The vendor answers at once while this runs. */
async function answering(work: () => Promise<void>): Promise<void> {
  const draining = setInterval(vendor.answerAll, 5);
  await work().finally(() => clearInterval(draining));
}

const speech = (who: string) => ({ audio_url: `https://${who}.example/a.wav`, provider: 'stt_c' });

test('a queue of recordings does not delay the recording of another account', async () => {
  for (let job = 0; job < 30; job += 1) {
    expect((await hostile('/v1/transcriptions', speech('hostile'))).status).toBe(202);
  }
  await vendor.isBusy();
  expect((await honest('/v1/transcriptions', speech('honest'))).status).toBe(202);
  // No recording of the other account has ended.
  await vendor.hasCalls(1);
  await answering(async () => {
    await waitFor(openJobs, { what: 'every job ends', until: (counts) => !/[1-9]/.test(counts) });
  });
});

/** The counts of jobs that have not ended. */
async function openJobs(): Promise<string> {
  const { text } = await gateway.get('/metrics', asOperator);
  return text
    .split('\n')
    .filter((line) => line.startsWith('trivium_jobs{'))
    .map((line) => line.split(' ').at(-1))
    .join(' ');
}

test('only a few repeated requests with one idempotency key wait', async () => {
  const send = async () => {
    const form = new FormData();
    form.set('file', new File([makeWav(2000)], 'talk.wav', { type: 'audio/wav' }));
    form.set('model', 'stt_c');
    const response = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'idempotency-key': 'one-talk' },
      body: form,
    });
    return { status: response.status, again: response.headers.get('retry-after') };
  };
  const sent = Array.from({ length: 320 }, send);
  // Some arrive before the first is accepted, and are refused with a Retry-After.
  const refused: Awaited<ReturnType<typeof send>>[] = [];
  for (const one of sent) void one.then((answer) => refused.push(answer));
  await waitFor(() => refused.length, {
    what: 'all but a few are refused',
    until: (count) => count >= 320 - maxWaiting,
  });
  // More are refused when the machine is slow, but not the first.
  expect(refused.length).toBeLessThan(320);
  expect(refused.filter(({ status, again }) => again === null || status === 200)).toEqual([]);
  expect(refused.filter(({ status }) => status === 429).length).toBeGreaterThan(200);
  await answering(async () => {
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses).toContain(200);
  });
});

const maxWaiting = 8;

test('a circuit that one account opens is open for that account only', async () => {
  vendor.break();
  const path = '/v1/search';
  // As many as succeeded before, and enough to open it.
  for (let call = 0; call < leastCalls + 2 * inProgress; call += 1) {
    expect((await hostile(path, ask('hostile'))).status).toBe(502);
  }
  expect((await hostile(path, ask('hostile'))).text).toContain('circuit is open');
  expect((await honest(path, ask('honest'))).status).toBe(200);
  expect((await honest(path, { ...ask('honest'), provider: 'auto' })).body).toMatchObject({
    provider: 'engine_a',
  });
  const { body } = await gateway.get('/v1/providers');
  const { providers } = body as { providers: { id: string; health: { circuit: string } }[] };
  expect(providers.find(({ id }) => id === 'engine_a')?.health.circuit).toBe('closed');
});
