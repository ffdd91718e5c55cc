// Unauthenticated clients at the callback endpoints: they cannot block authentic callbacks, nothing
// they send is stored, and the memory they use is bounded.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { configureSpeech } from '../chaos/job-chaos.ts';
import { freePort } from '../free-port.ts';
import { readGauge } from '../gauges.ts';
import { startGatewayProcess } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { hasEnded, submitJob, waitForJob } from '../jobs.ts';
import { connectRaw, rawStatus } from '../raw-connection.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import type { TestSandbox } from '../test-sandbox.ts';
import { makeWebhook } from '../webhook.ts';

let sandbox: TestSandbox;
let gateway: Gateway;
let secret: string;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  // No vendor finishes by itself: the test sends every callback.
  await configureSpeech(sandbox, { processing_ms: 600_000 });
  const port = freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const webhook = await makeWebhook(sandbox.url, `${publicUrl}/callbacks/stt_c`);
  secret = webhook.webhook_secret;
  gateway = await startGatewayProcess({
    sandbox: sandbox.url,
    env: {
      PORT: String(port),
      TRIVIUM_PUBLIC_URL: publicUrl,
      TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000',
      ELEVENLABS_WEBHOOK_ID: webhook.webhook_id,
      ELEVENLABS_WEBHOOK_SECRET: webhook.webhook_secret,
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await sandbox.stop();
});

const forgedText = 'words of an anonymous client';
const mebibyte = 1024 * 1024;
/** As many as stt_c works on at once, each delivered four times. */
const jobsOfC = 12;
const copies = 4;
const jobsOfB = 48;

function madeUpSignature(): string {
  return `t=${Math.floor(Date.now() / 1000)},v0=${'0'.repeat(64)}`;
}

function headOf(signature: string, length: number): string {
  const lines = [
    'POST /callbacks/stt_c HTTP/1.1',
    'host: gateway',
    'content-type: application/json',
    `elevenlabs-signature: ${signature}`,
    `content-length: ${length}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Opens connections that announce a long body, send part of it, and then stall. */
async function openStalled(count: number, bytesEach: number): Promise<Socket[]> {
  const text = Buffer.from(forgedText.padEnd(bytesEach, ' and more of them'));
  const { hostname, port } = new URL(gateway.url);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname);
      // The gateway may close the connection at any time.
      socket.on('error', () => undefined);
      socket.resume();
      await once(socket, 'connect');
      socket.write(headOf(madeUpSignature(), 32 * mebibyte));
      // Until the data is sent or the connection is closed.
      await Promise.race([
        new Promise((sent) => void socket.write(text, sent)),
        once(socket, 'close'),
      ]);
      return socket;
    }),
  );
}

function signed(body: string): Record<string, string> {
  const time = Math.floor(Date.now() / 1000);
  const sign = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return { 'content-type': 'application/json', 'elevenlabs-signature': `t=${time},v0=${sign}` };
}

async function deliver(path: string, headers: Record<string, string>, body: string) {
  const response = await fetch(gateway.url + path, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

/** A long transcript, so that it arrives in many chunks. */
const transcript = 'genuine words '.repeat(20_000);

function deliverFromC(id: string): Promise<number> {
  const transcription = {
    text: transcript,
    words: [],
    audio_duration_secs: 60,
    language_code: 'eng',
  };
  const data = { webhook_metadata: { attempt_id: `${id}.1` }, transcription };
  const body = JSON.stringify({ type: 'speech_to_text_transcription', data });
  return deliver('/callbacks/stt_c', signed(body), body);
}

function deliverFromB(path: string): Promise<number> {
  const alternatives = [{ transcript, words: [] }];
  const body = JSON.stringify({
    metadata: { duration: 60 },
    results: { channels: [{ alternatives }] },
  });
  return deliver(path, { 'content-type': 'application/json', 'dg-token': deepgramKey }, body);
}

/** The key id that the sandbox's Deepgram sends, and that the gateway looked up at start. */
const deepgramKey = 'f54158f4-1b2c-4d3e-8f90-0a1b2c3d4e5f';

async function waitingJobs(provider: string, count: number): Promise<string[]> {
  const jobs = await Promise.all(
    Array.from({ length: count }, () => submitJob(gateway, { provider })),
  );
  for (const { id } of jobs) {
    await waitForJob(gateway, id, (job) => job.attempt_status === 'waiting');
  }
  return jobs.map(({ id }) => id);
}

/** The callback path of each job, as the gateway sent it to Deepgram. */
async function pathsOfB(ids: readonly string[]): Promise<string[]> {
  const calls = await sandbox.calls('/deepgram');
  return ids.map((id) => {
    const call = calls.find(({ query }) => query['tag'] === `${id}.1`);
    return new URL(String(call?.query['callback'])).pathname;
  });
}

async function expectTranscript(id: string): Promise<void> {
  const job = await waitForJob(gateway, id, hasEnded);
  expect([id, job.status, job.error]).toEqual([id, 'completed', null]);
  expect(job.result?.text.trim()).toBe(transcript.trim());
}

async function countForgedRows(): Promise<number> {
  const store = new SQL({ adapter: 'sqlite', filename: `${gateway.store_dir}/trivium.sqlite` });
  const [row] = (await store.unsafe(
    `select count(*) as count from texts where job_id is null or content like '%${forgedText}%'`,
  )) as { count: unknown }[];
  await store.close();
  return Number(row?.count);
}

// First, while the gateway uses little memory.
test('unauthenticated clients use bounded memory, and authentic callbacks are accepted', async () => {
  const [id = ''] = await waitingJobs('stt_c', 1);
  const holding = await openStalled(64, 8 * mebibyte);
  expect(await deliverFromC(id)).toBe(200);
  await expectTranscript(id);
  const memory = await readGauge(gateway, 'process_resident_memory_bytes');
  expect(memory).toBeLessThan(450 * mebibyte);
  expect(await countForgedRows()).toBe(0);
  for (const socket of holding) socket.destroy();
});

test('unauthenticated clients with unfinished bodies block no authentic callback', async () => {
  const [ofC, ofB] = [await waitingJobs('stt_c', jobsOfC), await waitingJobs('stt_b', jobsOfB)];
  const paths = await pathsOfB(ofB);
  const holding = await openStalled(64, 200_000);
  const statuses = await Promise.all([
    ...ofC.flatMap((id) => Array.from({ length: copies }, () => deliverFromC(id))),
    ...paths.map((path) => deliverFromB(path)),
  ]);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  for (const id of [...ofC, ...ofB]) await expectTranscript(id);
  expect(await countForgedRows()).toBe(0);
  for (const socket of holding) socket.destroy();
});

test('an unauthenticated callback that stalls gives a 408, and a finished one a 404', async () => {
  const paused = await connectRaw(gateway.url);
  paused.write(headOf(madeUpSignature(), mebibyte) + forgedText);
  expect(rawStatus(await paused.answered)).toBe(408);
  const body = JSON.stringify({ type: 'speech_to_text_transcription', data: forgedText });
  const headers = { 'elevenlabs-signature': madeUpSignature() };
  expect(await deliver('/callbacks/stt_c', headers, body)).toBe(404);
  expect(await countForgedRows()).toBe(0);
});

test('a malformed signature is refused before the body is read', async () => {
  const now = Math.floor(Date.now() / 1000);
  const sign = '0'.repeat(64);
  for (const signature of [
    '',
    'v0=',
    `t=${now}`,
    `t=${now},v0=abc`,
    `t=${now},v0=${'g'.repeat(64)}`,
    `t=${now - 3600},v0=${sign}`,
    `t=${now + 3600},v0=${sign}`,
    `t=-1,v0=${sign}`,
    `t=1e308,v0=${sign}`,
    `t=${now}${`,v0=${sign}`.repeat(5)}`,
  ]) {
    const connection = await connectRaw(gateway.url);
    connection.write(headOf(signature, mebibyte));
    expect([signature, rawStatus(await connection.answered)]).toEqual([signature, 404]);
    connection.end();
  }
  const long = await connectRaw(gateway.url);
  long.write(headOf(madeUpSignature(), 65 * mebibyte));
  await long.closed;
  expect(rawStatus(long.received())).toBe(413);
});
