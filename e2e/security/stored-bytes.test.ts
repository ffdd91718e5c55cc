// What accounts keep has an owner and a limit: uploads, stored answers and batches.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OwnUsage } from '@trivium/contract';
import { makeAccount, operatorToken } from '../billing/small-account.ts';
import { engines, startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { startUpstream } from '../upstream.ts';
import type { Received, Upstream } from '../upstream.ts';
import { makeWav } from '../uploads/recordings.ts';

const mib = 1024 * 1024;
const pageChars = 75_000;
const pages = Array.from({ length: 10 }, (_, at) => `https://kept.example/${at}`);
const missing = 'https://kept.example/missing';

function extraction({ body }: Received): Response {
  const { urls = [] } = body as { urls?: string[] };
  const found = urls.filter((url) => url !== missing);
  const text = 'word '.repeat(pageChars / 5);
  return Response.json({
    requestId: 'r',
    results: found.map((url) => ({ id: url, url, title: url, text: text + url })),
    statuses: urls.map((id) => ({ id, status: found.includes(id) ? 'success' : 'error' })),
    costDollars: { total: 0.001 },
  });
}

describe.each(engines)('on %s', (engine) => {
  const stop = new AsyncDisposableStack();
  let upstream: Upstream;
  let gateway: Gateway;
  beforeAll(async () => {
    upstream = stop.use(startUpstream(extraction));
    const env = {
      ...upstream.env,
      TRIVIUM_ADMIN_TOKEN: operatorToken,
      TRIVIUM_MAX_STORED_MB: '3',
    };
    gateway = stop.use(await startGateway({ env, engine }));
  });
  afterAll(() => stop.disposeAsync());

  const usage = async (headers: Record<string, string>) =>
    OwnUsage.parse((await gateway.get('/v1/usage', headers)).body).stored;
  const batch = (headers: Record<string, string>, urls = pages) =>
    gateway.post('/v2/batch/scrape', { urls }, { ...headers, 'x-trivium-cache': '3600' });

  test('batches and keyed answers from the cache share their pages, and read as before', async () => {
    const { headers } = await makeAccount(gateway, 1);
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { status, body } = await batch(headers, [...pages, missing]);
      expect(status).toBe(200);
      ids.push((body as { id: string }).id);
    }
    const keyed = (key: string) =>
      gateway.post(
        '/v1/extract',
        { urls: pages.slice(0, 5), provider: 'engine_a' },
        { ...headers, 'idempotency-key': key, 'x-trivium-cache': '3600' },
      );
    const first = await keyed('one');
    const again = await keyed('one');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.text === first.text).toBe(true);
    for (let count = 0; count < 5; count += 1) await keyed(`key-${count}`);
    const stored = await usage(headers);
    // Each page is there once as a result: its text, and the provider's own object.
    expect(stored?.answers).toBeGreaterThan(2 * pages.length * pageChars);
    expect(stored?.answers).toBeLessThan(5 * pages.length * pageChars);
    const whole = await gateway.get(`/v2/batch/scrape/${ids[3]}`, headers);
    const { data, completed, total } = whole.body as {
      data: { markdown: string; metadata: { sourceURL: string } }[];
      completed: number;
      total: number;
    };
    expect([completed, total]).toEqual([pages.length, pages.length + 1]);
    expect(data.map(({ metadata }) => metadata.sourceURL)).toEqual(pages);
    expect(data[9]?.markdown.endsWith('https://kept.example/9')).toBe(true);
    const failed = await gateway.get(`/v2/batch/scrape/${ids[3]}/errors`, headers);
    expect(failed.body).toMatchObject({ errors: [{ url: missing }] });
  });

  test('above the limit a batch is refused before a provider is called, and an answer is not stored', async () => {
    const { headers } = await makeAccount(gateway, 1);
    const others = (round: number) => pages.map((url) => `${url}?${round}`);
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const calls = upstream.received.length;
      const { status } = await batch(headers, others(round));
      statuses.push(status);
      if (status === 413) expect(upstream.received.length).toBe(calls);
    }
    expect(new Set(statuses)).toEqual(new Set([200, 413]));
    const stored = await usage(headers);
    expect(stored?.bytes).toBeLessThan(2 * (stored?.max_bytes ?? 0));
    const keyed = () =>
      gateway.post(
        '/v1/extract',
        { urls: pages.slice(0, 5), provider: 'engine_a' },
        { ...headers, 'idempotency-key': 'late' },
      );
    expect((await keyed()).status).toBe(200);
    const replay = await keyed();
    expect([replay.status, replay.text.includes('was not stored')]).toEqual([409, true]);
  });

  const upload = async (headers: { authorization: string }, bytes = 1000) => {
    const response = await fetch(`${gateway.url}/v1/uploads`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'audio/wav' },
      body: makeWav(bytes),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };

  test('an upload needs the tool, a balance and room', async () => {
    const poor = await makeAccount(gateway, 0);
    expect(await upload(poor.headers)).toMatchObject({
      status: 402,
      body: { error: { type: 'insufficient_credits' } },
    });
    const limited = await makeAccount(gateway, 1, { tools: ['search'] });
    expect((await upload(limited.headers)).status).toBe(400);
    const rich = await makeAccount(gateway, 1);
    expect((await upload(rich.headers)).status).toBe(201);
    // The limit also applies while a file arrives.
    expect((await upload(rich.headers, 4 * mib)).status).toBe(413);
    expect((await usage(rich.headers))?.uploads).toBeLessThan(10_000);
    const many = await Promise.all(Array.from({ length: 6 }, () => upload(rich.headers, mib)));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([201, 413]));
    expect((await usage(rich.headers))?.bytes).toBeLessThan(3.25 * mib);
  });

  test.each([
    { of: 'an account', policy: { max_stored_mb: 1 }, keyPolicy: { max_stored_mb: 5 } },
    { of: 'a key', policy: {}, keyPolicy: { max_stored_mb: 1 } },
  ])(
    'the policy of $of lowers the limit for uploads, answers and batches',
    async ({ policy, keyPolicy }) => {
      const { headers } = await makeAccount(gateway, 1, keyPolicy, policy);
      expect((await usage(headers))?.max_bytes).toBe(mib);
      expect((await upload(headers, 2 * mib)).status).toBe(413);
      expect((await upload(headers, mib / 2)).status).toBe(201);
      const keyed = () =>
        gateway.post(
          '/v1/extract',
          { urls: pages.slice(0, 5), provider: 'engine_a' },
          { ...headers, 'idempotency-key': 'policy' },
        );
      expect((await keyed()).status).toBe(200);
      const replay = await keyed();
      expect([replay.status, replay.text.includes('was not stored')]).toEqual([409, true]);
      // The first one is stored whole: there is room before its pages are known.
      expect((await batch(headers)).status).toBe(200);
      const refused = await batch(headers, [missing]);
      expect([refused.status, refused.text.includes(' 1 MiB ')]).toEqual([413, true]);
      expect((await upload(headers)).status).toBe(413);
    },
  );

  test('a policy above the setting changes nothing', async () => {
    const { headers } = await makeAccount(gateway, 1, {}, { max_stored_mb: 1000 });
    expect((await usage(headers))?.max_bytes).toBe(3 * mib);
  });
});
