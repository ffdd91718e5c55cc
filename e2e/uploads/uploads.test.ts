// Uploads: a file that is sent to the gateway can be transcribed by the address that it returns,
// and is deleted with its job.
import { beforeAll, describe, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { sharedSandbox, startGateway } from '../harness.ts';
import type { Gateway, WithSandbox } from '../harness.ts';
import { runJob, submitJob, waitForJob, hasEnded } from '../jobs.ts';
import { makeAccount, operatorToken } from '../billing/small-account.ts';
import { expect, proves } from '../proves.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { acceptedBy, makeWav, postFile, sha256, upload } from './recordings.ts';
import { waitFor } from '../wait-for.ts';

const limitMs = 120_000;
const providers = ['stt_a', 'stt_b', 'stt_c'] as const;
const talk = makeWav(300_000);

const pair = sharedSandbox({ TRIVIUM_ADMIN_TOKEN: operatorToken });
let { gateway, sandbox } = {} as WithSandbox;
beforeAll(() => {
  ({ gateway, sandbox } = pair());
});

test('the answer has an id, an address, the size and the expiry', async () => {
  const before = Date.now();
  const { status, body } = await postFile(gateway, talk);
  proves('uploads.answer', () => {
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^upl_[0-9a-f]{32}$/) as string,
        audio_url: expect.stringContaining(`${gateway.url}/files/`) as string,
        bytes: talk.length,
        duration_seconds: 10,
        expires_at: expect.any(String) as string,
      },
    ]);
  });
  const { id, expires_at } = body as { id: string; expires_at: string };
  expect(new Date(expires_at).getTime() - before).toBeWithin(dayMs, dayMs + limitMs);
  expect((await gateway.get(`/v1/uploads/${id}`)).body).toEqual(body);
});

test('its length makes hold and highest cost exact, also in the format of OpenAI', async () => {
  const poor = await makeAccount(gateway, 0.01, { daily_cap_usd: 0.003 });
  const from = { url: gateway.url, key: poor.key };
  const { audio_url } = await upload(from, talk);
  const asked = { audio_url, provider: 'stt_a' };
  const client = poor.on(gateway);
  const estimate = (await client.post('/v1/estimates/transcription', asked)).body;
  const unknown = await client.post('/v1/transcriptions', {
    ...asked,
    audio_url: 'https://recordings.example/interview.wav',
  });
  const known = await client.post('/v1/transcriptions', asked, { 'x-max-cost-usd': '0.000642' });
  proves('money.transcription.known-length', () => {
    // Eleven seconds: the margin of a hundredth, rounded up.
    expect(estimate).toMatchObject({ max_cost_usd: 0.000642, held_usd: 0.000642 });
    expect([unknown.status, known.status]).toEqual([402, 202]);
  });
  const form = new FormData();
  form.set('file', new Blob([talk]), 'talk.wav');
  form.set('model', 'stt_a');
  const headers = { authorization: `Bearer ${poor.key}`, 'x-max-cost-usd': '0.000642' };
  const path = `${gateway.url}/v1/audio/transcriptions`;
  expect((await fetch(path, { method: 'POST', headers, body: form })).status).toBe(200);
});

test.each(providers)(
  '%s gets the bytes with the request when it cannot fetch them',
  async (provider) => {
    const bytes = makeWav(200_000, provider.charCodeAt(4));
    const { id, audio_url } = await upload(gateway, bytes, 'talk.wav');
    const job = await runJob(gateway, { audio_url, provider });
    expect([job.status, job.error]).toEqual(['completed', null]);
    expect(job.result?.usage?.cost_usd).toBeGreaterThan(0);
    const digest = { bytes: bytes.length, sha256: sha256(bytes) };
    const received = (await acceptedBy(sandbox.url)).filter(
      ({ file }) => file?.sha256 === digest.sha256,
    );
    proves('uploads.bytes-to-provider', () => {
      expect(received.map(({ file }) => file)).toEqual([digest]);
    });
    await untilGone(gateway, id);
  },
);

test('several jobs may use one upload, and the last one deletes it', async () => {
  const { id, audio_url } = await upload(gateway, makeWav(50_000, 9));
  const jobs = await Promise.all(
    providers.map((provider) => submitJob(gateway, { audio_url, provider })),
  );
  for (const job of jobs) {
    expect((await waitForJob(gateway, job.id, hasEnded)).status).toBe('completed');
  }
  await untilGone(gateway, id);
  const again = await gateway.post('/v1/transcriptions', { audio_url });
  proves('uploads.deleted-after-last-job', () => {
    expect([again.status, issueIn(again.body)]).toEqual([400, unknown]);
  });
});

test('another account can neither transcribe, read nor delete it', async () => {
  const { id, audio_url } = await upload(gateway, talk);
  const other = { authorization: `Bearer ${(await makeAccount(gateway, 5)).key}` };
  const answer = await gateway.post('/v1/transcriptions', { audio_url }, other);
  expect([answer.status, issueIn(answer.body)]).toEqual([400, unknown]);
  const path = `/v1/uploads/${id}`;
  await proves('uploads.account-only', async () => {
    expect((await gateway.get(path, other)).status).toBe(404);
    expect((await gateway.ask('DELETE', path, undefined, other)).status).toBe(404);
    expect((await gateway.get(path)).status).toBe(200);
  });
});

test('deleting an upload removes its file and its address', async () => {
  const { id, audio_url } = await upload(gateway, talk);
  expect(filesOf(gateway)).toContain(id);
  const deleted = await gateway.ask('DELETE', `/v1/uploads/${id}`);
  expect([deleted.status, deleted.body]).toEqual([200, { id, deleted: true }]);
  expect(filesOf(gateway)).not.toContain(id);
  expect((await fetch(audio_url)).status).toBe(404);
  expect((await gateway.ask('DELETE', `/v1/uploads/${id}`)).status).toBe(404);
});

test('a job whose upload is deleted while it waits fails and says so', async () => {
  const { id, audio_url } = await upload(gateway, makeWav(9000, 3));
  await sandbox.fault('/deepgram', 'rate_limited', { times: 1000, retry_after: 1 });
  const job = await submitJob(gateway, { audio_url, provider: 'stt_b' });
  await waitForJob(
    gateway,
    job.id,
    ({ status, attempt_status }) => status === 'running' && attempt_status === 'queued',
  );
  await gateway.ask('DELETE', `/v1/uploads/${id}`);
  const ended = await waitForJob(gateway, job.id, hasEnded);
  await sandbox.clearFaults();
  expect([ended.status, ended.error?.type]).toEqual(['failed', 'audio_unreachable']);
  expect(ended.error?.message).toContain('was deleted');
  expect(filesOf(gateway)).not.toContain(id);
});

test('a made-up or changed address is refused, with the field', async () => {
  const { audio_url } = await upload(gateway, talk);
  for (const wrong of [
    `${audio_url.slice(0, -1)}0`,
    audio_url.replace(/\.\d{13}\./, '.99999999999999.'),
    audio_url.replace(/upl_../, 'upl_ff'),
    `${gateway.url}/files/`,
  ]) {
    if (wrong === audio_url) continue;
    expect((await fetch(wrong)).status).toBe(404);
    const answer = await gateway.post('/v1/transcriptions', { audio_url: wrong });
    expect([answer.status, issueIn(answer.body)?.path]).toEqual([400, 'audio_url']);
  }
});

test('its address serves the file, a part of it, and nothing beyond it', async () => {
  const { audio_url } = await upload(gateway, talk);
  const whole = await fetch(audio_url);
  expect(sha256(await whole.bytes())).toBe(sha256(talk));
  expect(whole.headers.get('content-type')).toBe('audio/wav');
  const head = await fetch(audio_url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(talk.length)]);
  const part = await fetch(audio_url, { headers: { range: 'bytes=100-199' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 100-199/${talk.length}`,
  ]);
  expect(await part.bytes()).toEqual(talk.slice(100, 200));
  const beyond = await fetch(audio_url, { headers: { range: `bytes=${talk.length}-` } });
  expect([beyond.status, await beyond.text()]).toEqual([416, '']);
});

describe('with a public address', () => {
  test('providers fetch the bytes from it, and their address expires with the job', async () => {
    await using sandbox = await startTestSandbox();
    const port = freePort();
    await using gateway = await startGateway({
      sandbox: sandbox.url,
      env: { PORT: String(port), TRIVIUM_PUBLIC_URL: `http://127.0.0.1:${port}` },
    });
    for (const provider of providers) {
      const bytes = makeWav(100_000, provider.charCodeAt(4));
      const { id, audio_url } = await upload(gateway, bytes);
      const job = await runJob(gateway, { audio_url, provider });
      expect([job.status, job.error]).toEqual(['completed', null]);
      const accepted = (await acceptedBy(sandbox.url)).at(-1);
      expect(accepted?.file).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
      expect(accepted?.audio_url).toStartWith(`http://127.0.0.1:${port}/files/${id}.`);
      await untilGone(gateway, id);
      expect((await fetch(accepted?.audio_url ?? '')).status).toBe(404);
    }
  });
});

const dayMs = 24 * 60 * 60_000;
const unknown = {
  path: 'audio_url',
  code: 'unknown_upload',
  message: 'There is no upload at this address on this account, or it has expired.',
};

function issueIn(body: unknown): { path: string; code: string; message: string } | undefined {
  const { error } = body as { error: { detail?: { issues?: (typeof unknown)[] } } };
  return error.detail?.issues?.[0];
}

function filesOf(gateway: Gateway): string[] {
  const folder = join(gateway.store_dir, 'uploads');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The worker deletes it right after the job has ended. */
async function untilGone(gateway: Gateway, id: string): Promise<void> {
  const isGone = async () =>
    (await gateway.get(`/v1/uploads/${id}`)).status === 404 && !filesOf(gateway).includes(id);
  await waitFor(isGone, { what: `${id} is deleted` });
}
