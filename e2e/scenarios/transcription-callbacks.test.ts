// Callbacks of speech services: only authentic ones count, in any number and order.
import { afterAll, beforeAll, test } from 'bun:test';
import { freePort } from '../free-port.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { hasEnded, runJob, submitJob, waitForJob } from '../jobs.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import type { TestSandbox } from '../test-sandbox.ts';
import { expect, proves } from '../proves.ts';
import { makeWebhook } from '../webhook.ts';

const deepgramKeyId = 'f54158f4-1b2c-4d3e-8f90-0a1b2c3d4e5f';

let sandbox: TestSandbox;
let gateway: Gateway;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  const port = freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const webhook = await makeWebhook(sandbox.url, `${publicUrl}/callbacks/stt_c`);
  gateway = await startGateway({
    sandbox: sandbox.url,
    env: {
      PORT: String(port),
      TRIVIUM_PUBLIC_URL: publicUrl,
      DEEPGRAM_KEY_ID: deepgramKeyId,
      ELEVENLABS_WEBHOOK_ID: webhook.webhook_id,
      ELEVENLABS_WEBHOOK_SECRET: webhook.webhook_secret,
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await sandbox.stop();
});

const mounts = { stt_a: '/assemblyai', stt_b: '/deepgram', stt_c: '/elevenlabs' } as const;
const services = ['stt_a', 'stt_b', 'stt_c'] as const;

test('every service receives the public URL of the gateway and calls back there', async () => {
  for (const provider of services) {
    await sandbox.clearCalls();
    const job = await runJob(gateway, { provider, diarize: true });
    proves('settings.public-url', () => {
      expect(job.status).toBe('completed');
      expect(job.result?.words?.length).toBeGreaterThan(100);
    });
    const [submission] = await sandbox.calls(mounts[provider]);
    const sent = JSON.stringify([submission?.query, submission?.body]);
    expect(sent).toContain(`${job.id}.1`);
    const address = `${gateway.url}/callbacks/${provider}/${job.id}.1.`;
    if (provider === 'stt_c') {
      proves('jobs.callback.stt-c', () => expect(sent).toContain('webhook_metadata'));
    } else {
      proves('jobs.callback.address', () => expect(sent).toContain(address));
    }
  }
});

test('a callback that arrives twice, late or never does not change the result', async () => {
  const before = (await gateway.get('/v1/balance')).body as { balance_usd: number };
  let cost = 0;
  for (const [provider, fault] of [
    ['stt_a', 'callback_never'],
    ['stt_a', 'callback_twice'],
    ['stt_b', 'callback_twice'],
    ['stt_b', 'callback_late'],
    ['stt_c', 'callback_twice'],
    ['stt_c', 'callback_never'],
  ] as const) {
    await sandbox.fault(mounts[provider], fault, { times: 1 });
    const job = await runJob(gateway, { provider });
    expect([provider, fault, job.status]).toEqual([provider, fault, 'completed']);
    cost += job.result?.usage?.cost_usd ?? 0;
  }
  const after = (await gateway.get('/v1/balance')).body as { balance_usd: number };
  proves('transcribe.duplicate-never-charged', () =>
    expect(before.balance_usd - after.balance_usd).toBeCloseTo(cost, 6),
  );
});

test('a recording that stt_c accepts without an id completes by its callback', async () => {
  await sandbox.clearCalls();
  await sandbox.fault('/elevenlabs', 'unnamed', { times: 1 });
  const job = await runJob(gateway, { provider: 'stt_c' });
  await proves('jobs.stt-c.without-id', async () => {
    expect(job.status).toBe('completed');
    expect((await sandbox.calls('/elevenlabs')).map(({ method }) => method)).toEqual(['POST']);
  });
});

test('a callback completes a job whose submission was never answered', async () => {
  for (const provider of ['stt_b', 'stt_c'] as const) {
    await sandbox.clearCalls();
    await sandbox.fault(mounts[provider], 'cut', { times: 1, method: 'POST' });
    const job = await runJob(gateway, { provider });
    await proves('transcribe.uncertain-never-resent', async () => {
      expect(job.status).toBe('completed');
      const posts = (await sandbox.calls(mounts[provider])).filter(
        ({ method }) => method === 'POST',
      );
      expect(posts).toHaveLength(1);
    });
  }
});

test('forged callbacks give a 404, whichever job they name', async () => {
  for (const provider of services) {
    await sandbox.fault(mounts[provider], 'callback_forged', { times: 1 });
    expect((await runJob(gateway, { provider })).status).toBe('completed');
  }
  await sandbox.fault('/assemblyai', 'callback_never', { times: 1 });
  const { id } = await submitJob(gateway, { provider: 'stt_a' });
  const guesses = [
    `/callbacks/stt_a/${id}.1`,
    `/callbacks/stt_a/${id}.1.${'0'.repeat(40)}`,
    `/callbacks/stt_b/${id}.1.${'0'.repeat(40)}`,
    '/callbacks/stt_c',
    `/callbacks/stt_c/${id}.1.${'0'.repeat(40)}`,
    '/callbacks/engine_a/x',
  ];
  const forged = { transcript_id: 'x', status: 'error', results: {} };
  const signature = { 'elevenlabs-signature': `t=${Math.floor(Date.now() / 1000)},v0=00` };
  for (const path of guesses) {
    await proves('surface.callbacks-guarded', async () =>
      expect([path, (await gateway.post(path, forged, signature)).status]).toEqual([path, 404]),
    );
  }
  expect((await waitForJob(gateway, id, hasEnded)).status).toBe('completed');
});

test('a callback that its service has given up on is looked up and reported as lost', async () => {
  const before = (await gateway.get('/v1/balance')).body as { balance_usd: number };
  await sandbox.fault('/deepgram', 'callback_never', { times: 1 });
  const job = await runJob(gateway, { provider: 'stt_b' });
  proves('jobs.error.result-lost', () => {
    expect(job).toMatchObject({
      status: 'failed',
      error: { type: 'result_lost', retryable: true },
    });
    expect(job.error?.message).toContain('could not deliver');
    expect(job.error?.message).toContain('submit the recording again');
  });
  const after = (await gateway.get('/v1/balance')).body as { balance_usd: number };
  expect(after.balance_usd).toBe(before.balance_usd);
});
