// Vendors that fail: what is retried, what is not, and what the caller receives.
import { test } from 'bun:test';
import { askSearch } from '../asking.ts';
import { extractEngines, extractMounts, searchEngines, searchMounts } from '../engines.ts';
import { ErrorAnswer } from '../shapes.ts';
import { sharedSandbox, startGateway } from '../harness.ts';
import { startUpstream } from '../upstream.ts';
import type { Mount } from '../vendor-settings.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
const query = 'solar energy storage';
const pages = { urls: ['https://gridlines.example/storage/solar-storage-guide'] };

type Asked = { path: string; body: object; provider: string; mount: Mount };

/** A search with every engine, and a page from every one that extracts. */
const everything: readonly Asked[] = [
  ...searchEngines.map((provider) => ({
    ...{ path: '/v1/search', body: { query }, provider },
    mount: searchMounts[provider],
  })),
  ...extractEngines.map((provider) => ({
    ...{ path: '/v1/extract', body: pages, provider },
    mount: extractMounts[provider],
  })),
];

/** How a request under a fault ended, and how often the vendor was called. */
async function under({ path, body, provider, mount }: Asked, fault: string, options: object = {}) {
  const { gateway, sandbox } = pair();
  await sandbox.clearFaults();
  await sandbox.clearCalls();
  await sandbox.fault(mount, fault, options);
  const answer = await gateway.post(path, { ...body, provider });
  const calls = (await sandbox.calls(mount)).length;
  const error = answer.status === 200 ? undefined : ErrorAnswer.parse(answer.body).error;
  return { seen: [path, provider, fault, answer.status, calls], error };
}

test('an error of a vendor gives a 502 with its status and body, from every engine', async () => {
  for (const asked of everything) {
    const { path, provider } = asked;
    for (const fault of ['unauthorized', 'out_of_credit', 'server_error']) {
      // The reader of engine_e answers 500 for any page it cannot read.
      const isOfPage = asked.mount === '/serper-scrape' && fault === 'server_error';
      const { seen, error } = await under(asked, fault);
      if (isOfPage) continue;
      const { body, ...rest } = error?.detail as {
        body: unknown;
        provider: string;
        status: number;
      };
      // The vendor's own fields are there as well, and keep their names.
      const own = typeof body === 'object' ? { ...body } : {};
      proves(['errors.extract.502', 'errors.detail-provider'], () => {
        expect(seen).toEqual([path, provider, fault, 502, 1]);
        expect([error?.type, rest.provider]).toEqual(['provider_error', provider]);
        expect(rest).toMatchObject(own);
        if (!('status' in own)) expect(rest.status).toBeGreaterThanOrEqual(400);
        expect([...seen, JSON.stringify(body)]).toEqual([
          ...seen,
          expect.stringMatching(/[a-z]{3}/),
        ]);
      });
    }
  }
});

test('a 503 is retried once, and a 429 when the vendor names a short pause', async () => {
  const once = { times: 1, retry_after: 0 };
  for (const asked of everything) {
    const { path, provider } = asked;
    for (const fault of ['unavailable', 'rate_limited']) {
      const { seen } = await under(asked, fault, once);
      proves(['calls.retry.503', 'calls.retry.429', 'calls.retry.extract'], () =>
        expect(seen).toEqual([path, provider, fault, 200, 2]),
      );
    }
  }
  const [search] = everything as [Asked];
  const lasting = await under(search, 'unavailable', { retry_after: 0 });
  proves('calls.retry.503', () => expect(lasting.seen.slice(3)).toEqual([502, 2]));
  const later = await under(search, 'rate_limited', { retry_after: 60 });
  proves('calls.retry.429', () => expect(later.seen.slice(3)).toEqual([502, 1]));
});

test('an incomplete answer or a closed connection gives a 502 without a retry', async () => {
  for (const asked of everything) {
    for (const fault of ['malformed', 'cut']) {
      const { seen } = await under(asked, fault);
      proves('choice.502.nonsense', () =>
        expect(seen).toEqual([asked.path, asked.provider, fault, 502, 1]),
      );
    }
  }
});

test('an engine that finds nothing answers a search without results, not an error', async () => {
  const { gateway, sandbox } = pair();
  for (const provider of searchEngines) {
    await sandbox.fault(searchMounts[provider], 'empty');
    const { results, warnings } = await askSearch(gateway, { query, provider });
    proves(['errors.search.200', 'search-response.results'], () =>
      expect([provider, results, warnings]).toEqual([provider, [], []]),
    );
  }
});

test('waits for a slow vendor, and says how long it took', async () => {
  const delayMs = 300;
  const { gateway, sandbox } = pair();
  await sandbox.fault('/exa', 'slow', { delay_ms: delayMs });
  for (const [path, request] of [
    ['/v1/search', { query }],
    ['/v1/extract', pages],
  ] as const) {
    const before = performance.now();
    const { body } = await gateway.post(path, { ...request, provider: 'engine_a' });
    const elapsedMs = performance.now() - before;
    const { latency_ms: latencyMs } = body as { latency_ms: number };
    // Its own time lies within the caller's, and the vendor's lies within it.
    proves(['search-response.latency', 'extract-response.latency'], () => {
      expect(latencyMs).toBeGreaterThanOrEqual(delayMs);
      expect(latencyMs).toBeLessThanOrEqual(Math.ceil(elapsedMs) + 1);
    });
  }
});

test('an unreachable vendor gives a 502 with that reason', async () => {
  const stopped = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const { port } = stopped;
  await stopped.stop(true);
  const env = {
    TRIVIUM_SANDBOX: 'off',
    EXA_API_KEY: 'key',
    EXA_BASE_URL: `http://127.0.0.1:${port}`,
  };
  await using gateway = await startGateway({ env });
  const answer = await gateway.post('/v1/search', { query, provider: 'engine_a' });
  const { error } = ErrorAnswer.parse(answer.body);
  proves('errors.search.502', () => {
    expect(answer.status).toBe(502);
    expect(error.message).toMatch(/cannot be reached/);
  });
  expect(error.detail).toEqual({ provider: 'engine_a', status: null, body: null });
});

test('a 400 that a vendor documents as repairable is repeated once', async () => {
  await using upstream = startUpstream(({ body }) =>
    (body as Record<string, unknown>)['include_domains_mode'] === 'restrict'
      ? Response.json({ detail: { error: 'include_domains_mode is not valid' } }, { status: 400 })
      : Response.json({ results: [], usage: { credits: 1 } }),
  );
  await using gateway = await startGateway({
    env: { TRIVIUM_SANDBOX: 'off', TAVILY_API_KEY: 'key', TAVILY_BASE_URL: upstream.url },
  });
  const request = { query, provider: 'engine_c', include_domains: ['a.example'] };
  expect((await askSearch(gateway, request)).warnings).toEqual([]);
  const modes = upstream.received.map(
    ({ body }) => (body as Record<string, unknown>)['include_domains_mode'],
  );
  proves('calls.retry.described-400', () => expect(modes).toEqual(['restrict', 'filter']));
});
