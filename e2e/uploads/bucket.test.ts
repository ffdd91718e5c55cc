// Uploads in a bucket: two gateways on one PostgreSQL share them, providers fetch them by a signed
// address, and no object is left. Without a bucket, two gateways refuse uploads and say why.
import { describe, expect, test } from 'bun:test';
import { createDatabase } from '../database.ts';
import { startGateway, startGatewayProcess } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { hasEnded, runJob, submitJob, waitForJob } from '../jobs.ts';
import { connectRaw } from '../raw-connection.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { startBucket } from './bucket.ts';
import { acceptedBy, makeWav, postFile, sha256, upload } from './recordings.ts';
import { waitFor } from '../wait-for.ts';

const mib = 1024 * 1024;
const providers = ['stt_a', 'stt_b', 'stt_c'] as const;
const shared = {
  TRIVIUM_SECRET: 'one-secret-for-both-gateways-0123456789',
  TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'b'.repeat(43)}`,
};

describe('two gateways on PostgreSQL', () => {
  test('share a bucket: one receives, the other transcribes and serves', async () => {
    await using bucket = await startBucket();
    await using database = await createDatabase();
    await using sandbox = await startTestSandbox();
    const options = {
      sandbox: sandbox.url,
      database_url: database.url,
      env: { ...shared, ...bucket.env },
    };
    await using one = await startGateway(options);
    await using other = await startGateway(options);
    for (const [at, provider] of providers.entries()) {
      // The first is sent in one part, the others in several.
      const bytes = makeWav(at === 0 ? 100_000 : 6 * mib + at, at);
      const stored = await upload(one, bytes, at === 1 ? 'talk.wav' : undefined);
      const { id, audio_url } = stored;
      expect(stored.duration_seconds).toBe(Math.ceil((bytes.length - 44) / 32_000));
      expect(bucket.list()).toEqual([id]);
      const served = await fetch(audio_url.replace(one.url, other.url));
      expect(sha256(await served.bytes())).toBe(sha256(bytes));
      const job = await runJob(other, { audio_url, provider });
      expect([job.status, job.error]).toEqual(['completed', null]);
      const accepted = (await acceptedBy(sandbox.url)).at(-1);
      expect(accepted?.file).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
      expect(accepted?.audio_url).toContain(`${bucket.host}/recordings/trivium/${id}?X-Amz-`);
      await waitFor(() => bucket.list(), {
        what: 'the bucket is empty',
        until: ({ length }) => length === 0,
      });
    }
  });

  test('without a bucket, they refuse uploads and say what to set', async () => {
    await using database = await createDatabase();
    const options = { database_url: database.url, env: shared };
    await using one = await startGateway(options);
    expect((await postFile(one, makeWav(1000))).status).toBe(201);
    await using other = await startGateway(options);
    for (const gateway of [one, other]) {
      const { status, body } = await postFile(gateway, makeWav(1000));
      expect([status, messageIn(body)]).toEqual([503, expect.stringContaining('TRIVIUM_S3_URL')]);
    }
  });
});

test('a failed upload leaves nothing in the bucket', async () => {
  await using bucket = await startBucket();
  await using gateway = await startGateway({
    env: { ...bucket.env, TRIVIUM_MAX_UPLOAD_MB: '7' },
  });
  expect((await postFile(gateway, makeWav(7 * mib + 1))).status).toBe(413);
  const stream = new Blob([makeWav(7 * mib + 1)]).stream();
  const { status } = await postStream(gateway, stream);
  expect(status).toBe(413);
  const client = await connectRaw(gateway.url);
  client.write(rawHead(gateway, 7 * mib));
  client.write(makeWav(30_000));
  client.end();
  await waitFor(() => bucket.list(), {
    what: 'the bucket is empty',
    until: ({ length }) => length === 0,
  });
  const { id } = await upload(gateway, makeWav(7 * mib));
  expect(bucket.list()).toEqual([id]);
  expect((await gateway.ask('DELETE', `/v1/uploads/${id}`)).status).toBe(200);
  expect(bucket.list()).toEqual([]);
});

test('while the bucket fails, uploads give a 503 and jobs wait for it', async () => {
  await using bucket = await startBucket();
  await using gateway = await startGatewayProcess({ env: bucket.env });
  const { audio_url } = await upload(gateway, makeWav(50_000));
  bucket.fail(true);
  for (const size of [1000, 6 * mib]) {
    const { status, body } = await postFile(gateway, makeWav(size));
    expect([status, messageIn(body)]).toEqual([503, expect.stringContaining('bucket')]);
  }
  expect((await fetch(audio_url)).status).toBe(503);
  const { id } = await submitJob(gateway, { audio_url, provider: 'stt_b' });
  await waitForJob(
    gateway,
    id,
    ({ status, attempt_status }) => status === 'running' && attempt_status === 'queued',
  );
  bucket.fail(false);
  expect((await waitForJob(gateway, id, hasEnded)).status).toBe('completed');
  expect(gateway.output()).not.toContain('Credential=');
});

async function postStream({ url, key }: Gateway, body: ReadableStream): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'audio/wav' };
  return fetch(`${url}/v1/uploads`, { method: 'POST', headers, body });
}

function rawHead({ url, key }: Gateway, length: number): string {
  const lines = [
    ...['POST /v1/uploads HTTP/1.1', `host: ${new URL(url).host}`],
    ...[`authorization: Bearer ${key}`, 'content-type: audio/wav', `content-length: ${length}`],
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function messageIn(body: unknown): string {
  return (body as { error: { message: string } }).error.message;
}
