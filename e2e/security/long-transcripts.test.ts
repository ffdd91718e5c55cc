// Transcripts of ten hours, read and delivered many times at once: each is in memory once, or not
// at all.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { readGauge, waitForNoBytes } from '../gauges.ts';
import { startGatewayProcess } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { hasEnded, submitJob, waitForJob } from '../jobs.ts';
import { memoryLimit, mib, peakDuring } from '../memory.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { operatorToken, webhookAdmin } from '../webhook-admin.ts';
import { waitFor } from '../wait-for.ts';

const limitMs = 120_000;
/** For long answers in progress, by default. */
const budgetBytes = 64 * mib;
const lecture = 'https://recordings.example/lecture.wav';
const stop = new AsyncDisposableStack();
let gateway: GatewayProcess;
let jobId = '';
beforeAll(async () => {
  const sandbox = stop.use(await startTestSandbox());
  gateway = stop.use(
    await startGatewayProcess({
      sandbox: sandbox.url,
      env: {
        TRIVIUM_ADMIN_TOKEN: operatorToken,
        TRIVIUM_ALLOW_PRIVATE_WEBHOOKS: 'on',
        TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000',
      },
    }),
  );
  const { id } = await submitJob(gateway, { audio_url: lecture, provider: 'stt_a' });
  await waitForJob(gateway, id, hasEnded);
  jobId = id;
});
afterAll(() => stop.disposeAsync());

interface RpcAnswer {
  id: number;
  result?: { isError?: boolean; content?: { text: string }[]; contents?: { text: string }[] };
}

async function callMcp(messages: readonly object[]): Promise<RpcAnswer[]> {
  const batch = messages.map((message, id) => ({ jsonrpc: '2.0', id, ...message }));
  const accept = 'application/json, text/event-stream';
  const answer = await gateway.post('/mcp', batch, { accept });
  expect(answer.status).toBe(200);
  // One message has one answer, not a list.
  return [answer.body].flat() as RpcAnswer[];
}

const getJob = () => ({
  method: 'tools/call',
  params: { name: 'get_job', arguments: { id: jobId } },
});

test('get_job returns the beginning of a long transcript and says where the rest is', async () => {
  const whole = (await gateway.get(`/v1/jobs/${jobId}`)).text;
  expect(whole.length).toBeGreaterThan(4_000_000);
  const { peak, value } = await peakDuring(gateway, () =>
    callMcp(Array.from({ length: 40 }, getJob)),
  );
  expect(value).toHaveLength(40);
  for (const { result } of value) {
    const text = result?.content?.[0]?.text ?? '';
    expect(text).toContain(`GET /v1/jobs/${jobId}`);
    expect(text.length).toBeLessThan(101_000);
  }
  expect(peak).toBeLessThan(memoryLimit);
});

/** The most memory that the gateway counts for long texts during the work. */
async function mostCountedDuring(work: () => Promise<unknown>): Promise<number> {
  let [most, isOver] = [0, false];
  const working = work().finally(() => (isOver = true));
  while (!isOver) most = Math.max(most, await readGauge(gateway, 'trivium_bytes_in_progress'));
  await working;
  return most;
}

test('whole transcripts as resources are limited together, and one alone is read', async () => {
  const read = {
    method: 'resources/read',
    params: { uri: `trivium://transcripts/${jobId}` },
  };
  const [alone] = await callMcp([read]);
  expect(alone?.result?.contents?.[0]?.text.length).toBeGreaterThan(101_000);
  const { peak, value: counted } = await peakDuring(gateway, async () => {
    await callMcp(Array.from({ length: 25 }, () => read));
    return mostCountedDuring(() => Promise.all(Array.from({ length: 6 }, () => callMcp([read]))));
  });
  expect(peak).toBeLessThan(memoryLimit);
  // The oldest of them may exceed the budget: checking it takes 50 MB.
  expect(counted).toBeLessThan(2 * budgetBytes);
  expect((await callMcp([read]))[0]?.result?.contents).toBeDefined();
});

test('more messages at once than a client sends are refused', async () => {
  const batch = Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, ...getJob() }));
  expect((await gateway.post('/mcp', batch)).status).toBe(400);
});

/** Reads the beginning of the answer and closes the connection. */
function leaveInTheMiddle(method: string, path: string, body = ''): Promise<void> {
  const { hostname, port } = new URL(gateway.url);
  const accept = 'application/json, text/event-stream';
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${path.startsWith('/admin') ? operatorToken : gateway.key}`,
    ...[`accept: ${accept}`, 'content-type: application/json', `content-length: ${body.length}`],
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    });
    socket.on('error', reject);
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
  });
}

test('clients that leave in the middle of a long answer give its memory and their place back', async () => {
  const read = { method: 'resources/read', params: { uri: `trivium://transcripts/${jobId}` } };
  const withProgress = { _meta: { progressToken: 'one' } };
  const streamed = { ...read, params: { ...read.params, ...withProgress } };
  const message = (one: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...one });
  const many = 4;
  const answers: [clients: number, method: string, path: string, body?: string][] = [
    // Each of these takes seconds to check.
    [2, 'POST', '/mcp', message(read)],
    [2, 'POST', '/mcp', message(streamed)],
    [many, 'GET', `/v1/jobs/${jobId}`],
    [many, 'GET', `/v1/jobs/${jobId}/raw`],
    [many, 'GET', '/admin/v1/requests/export?format=csv'],
    [many, 'HEAD', '/admin/v1/requests/export?format=csv'],
    [many, 'HEAD', '/admin/v1/audit?format=jsonl'],
  ];
  for (const [clients, ...answer] of answers) {
    for (let left = 0; left < clients; left += 1) await leaveInTheMiddle(...answer);
    await waitForNoBytes(gateway);
  }
  const exported = await gateway.get('/admin/v1/requests/export?format=csv', {
    authorization: `Bearer ${operatorToken}`,
  });
  expect(exported.status).toBe(200);
});

test('receivers that do not read share the body of their event', async () => {
  const sockets = new Set<Socket>();
  const deaf = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.pause());
  });
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
  stop.defer(() => {
    for (const socket of sockets) socket.destroy();
    deaf.close();
  });
  const { port } = deaf.address() as { port: number };
  const arrived: number[] = [];
  const honest = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      arrived.push((await request.bytes()).length);
      return new Response();
    },
  });
  stop.defer(() => honest.stop(true));
  const admin = webhookAdmin(() => gateway);
  const account = await admin.account();
  const events = ['job.completed'];
  for (let at = 0; at < 19; at += 1) {
    await admin.create({ url: `http://127.0.0.1:${port}/${at}`, events }, account);
  }
  await admin.create({ url: honest.url.href, events }, account);
  const { peak } = await peakDuring(gateway, async () => {
    for (let job = 0; job < 4; job += 1) {
      await submitJob(gateway, { audio_url: lecture, provider: 'stt_a' });
    }
    // All receivers of the first event have begun; those of the others wait for room.
    await waitFor(() => arrived.length > 0 && sockets.size === 19, {
      what: 'all receivers of an event',
      limitMs,
    });
  });
  for (const bytes of arrived) expect(bytes).toBeGreaterThan(4_000_000);
  expect(peak).toBeLessThan(memoryLimit);
});
