// A vendor that lies when a recording is stored there: only that vendor gets its address back, long
// answers are not kept, and the key is not repeated anywhere.
import { afterAll, expect, test } from 'bun:test';
import { sharedGateway, startGatewayProcess } from '../harness.ts';
import { hasEnded, submitJob, waitForJob } from '../jobs.ts';
import { operatorToken } from '../webhook-admin.ts';
import { freePort } from '../free-port.ts';
import { startBucket } from './bucket.ts';
import { makeWav, upload } from './recordings.ts';
import { waitFor } from '../wait-for.ts';

const key = 'key-of-the-vendor-4711';
let stored: () => Response;
/** Whether it quotes what it was sent. */
let isQuoting = false;
/** The requests to the vendor, and to a private host that it names. */
const asked: { path: string; body: string }[] = [];
const vendor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { pathname: path } = new URL(request.url);
    const body = await request.text();
    asked.push({ path, body: path === '/v2/upload' ? '' : body });
    if (path === '/v2/upload') return stored();
    if (isQuoting) return Response.json({ error: `cannot fetch ${body}` }, { status: 400 });
    return Response.json({ error: `refused for ${key}` }, { status: 400 });
  },
});
afterAll(() => vendor.stop(true));
const gateway = sharedGateway({
  env: {
    ...{ TRIVIUM_SANDBOX: 'off', ASSEMBLYAI_API_KEY: key },
    ASSEMBLYAI_BASE_URL: vendor.url.origin,
  },
});

const at = (url: unknown) => () => Response.json({ upload_url: url });

test.each<[string, () => Response]>([
  ['a private host', () => at(`${vendor.url.origin}/private`)()],
  ['the metadata of a cloud', at('http://169.254.169.254/latest/meta-data')],
  ['our key', at(`https://vendor.example/${key}`)],
])(
  'with %s as the address, it gets that address back, and no other host is called',
  async (_name, answer) => {
    stored = answer;
    asked.length = 0;
    const job = await transcribe();
    const ended = await waitForJob(gateway(), job.id, hasEnded);
    expect([ended.status, ended.error?.type]).toEqual(['failed', 'provider_error']);
    expect(asked.map(({ path }) => path)).toEqual(['/v2/upload', '/v2/transcript']);
    // That the log does not repeat it is checked when the gateway stops.
    expect(JSON.stringify([ended, asked])).not.toContain(key);
  },
);

test.each<[string, () => Response]>([
  ['no address', at(null)],
  ['an address that runs', at('javascript:alert(1)')],
  ['a file of the machine', at('file:///etc/passwd')],
  ['a very long address', at(`https://vendor.example/${'x'.repeat(5000)}`)],
  ['a very long answer', () => new Response('x'.repeat(1_000_000))],
  ['a redirect', () => new Response(null, { status: 307, headers: { location: '/private' } })],
])('with %s, the job waits, and nothing is submitted', async (_name, answer) => {
  stored = answer;
  asked.length = 0;
  const job = await transcribe();
  await waitFor(() => asked.length, { what: 'the vendor is asked' });
  const running = await waitForJob(gateway(), job.id, ({ status }) => status === 'running');
  expect(running.attempt_status).toBe('queued');
  expect(asked.map(({ path }) => path).filter((path) => path !== '/v2/upload')).toEqual([]);
  await gateway().ask('DELETE', `/v1/uploads/${job.upload}`);
});

test.each(['the gateway', 'the bucket'])(
  'a signed address of %s that it quotes is not in the error, the log or the request log',
  async (place) => {
    await using bucket = place === 'the bucket' ? await startBucket() : undefined;
    const port = String(freePort());
    const publicUrl = `http://127.0.0.1:${port}`;
    const env = {
      ...{ TRIVIUM_SANDBOX: 'off', ASSEMBLYAI_API_KEY: key, LOG_LEVEL: 'debug', PORT: port },
      ...{ ASSEMBLYAI_BASE_URL: vendor.url.origin, TRIVIUM_ADMIN_TOKEN: operatorToken },
      ...(bucket ? bucket.env : { TRIVIUM_PUBLIC_URL: publicUrl }),
    };
    await using signing = await startGatewayProcess({ env });
    isQuoting = true;
    asked.length = 0;
    const { id: uploaded, audio_url } = await upload(signing, makeWav(5000));
    const { id } = await submitJob(signing, { audio_url, provider: 'stt_a' });
    const ended = await waitForJob(signing, id, hasEnded);
    isQuoting = false;
    const sent = asked.find(({ path }) => path === '/v2/transcript')?.body ?? '';
    const [, signature = ''] = /(?:X-Amz-Signature=|\.)([0-9a-f]{40,64})/.exec(sent) ?? [];
    expect(signature).not.toBe('');
    expect(ended.error?.message).toContain(uploaded);
    const asOperator = { authorization: `Bearer ${operatorToken}` };
    const logged = await signing.get('/admin/v1/requests', asOperator);
    expect(logged.text).toContain(uploaded);
    const own = audio_url.split('.').at(-1) ?? '';
    for (const text of [JSON.stringify(ended), logged.text, signing.output()]) {
      expect(text).not.toContain(signature);
      expect(text).not.toContain(own);
    }
  },
);

async function transcribe(): Promise<{ id: string; upload: string }> {
  const { id: uploaded, audio_url } = await upload(gateway(), makeWav(5000));
  const { id } = await submitJob(gateway(), { audio_url, provider: 'stt_a' });
  return { id, upload: uploaded };
}
