// Searches whose vendor fails: what is retried, what is not, and what the caller receives.
import { test } from 'bun:test';
import { askSearch } from '../asking.ts';
import { searchEngines, searchMounts } from '../engines.ts';
import type { SearchEngine } from '../engines.ts';
import { ErrorAnswer } from '../shapes.ts';
import { sharedSandbox, startGateway } from '../harness.ts';
import { startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
const query = 'solar energy storage';

/** How a search under a fault ended, and how often the vendor was called. */
async function under(
  provider: SearchEngine,
  fault: string,
  options: object = {},
): Promise<{ status: number; calls: number; detail: unknown }> {
  const { gateway, sandbox } = pair();
  await sandbox.clearFaults();
  await sandbox.clearCalls();
  await sandbox.fault(searchMounts[provider], fault, options);
  const answer = await gateway.post('/v1/search', { query, provider });
  const calls = (await sandbox.calls(searchMounts[provider])).length;
  const detail = answer.status === 200 ? null : ErrorAnswer.parse(answer.body).error.detail;
  return { status: answer.status, calls, detail };
}

test('an error of a vendor gives a 502 with its status and body, on every engine', async () => {
  for (const provider of searchEngines) {
    for (const fault of ['unauthorized', 'out_of_credit']) {
      const { status, calls } = await under(provider, fault);
      expect([provider, fault, status, calls]).toEqual([provider, fault, 502, 1]);
    }
    const { status, calls, detail } = await under(provider, 'server_error');
    expect([provider, status, calls]).toEqual([provider, 502, 1]);
    const { body, ...rest } = detail as { body: unknown; provider: string; status: number };
    proves('errors.detail-provider', () => {
      expect(rest.provider).toBe(provider);
      // The vendor's own fields are there as well, and keep their names.
      const own = typeof body === 'object' ? { ...body } : {};
      expect(rest).toMatchObject(own);
      if (!('status' in own)) expect(rest.status).toBeGreaterThanOrEqual(500);
      expect([provider, JSON.stringify(body)]).toEqual([
        provider,
        expect.stringMatching(/[a-z]{3} /),
      ]);
    });
  }
});

test('a 503 is retried once, and a 429 when the vendor names a short pause', async () => {
  for (const provider of searchEngines) {
    const once = { times: 1, retry_after: 0 };
    const recovered = await under(provider, 'unavailable', once);
    proves('calls.retry.503', () =>
      expect([provider, recovered.status, recovered.calls]).toEqual([provider, 200, 2]),
    );
    const slowed = await under(provider, 'rate_limited', once);
    proves('calls.retry.429', () =>
      expect([provider, slowed.status, slowed.calls]).toEqual([provider, 200, 2]),
    );
    const lasting = await under(provider, 'unavailable', { retry_after: 0 });
    proves('calls.retry.503', () =>
      expect([provider, lasting.status, lasting.calls]).toEqual([provider, 502, 2]),
    );
  }
  const later = await under('engine_a', 'rate_limited', { retry_after: 60 });
  proves('calls.retry.429', () => expect([later.status, later.calls]).toEqual([502, 1]));
});

test('an incomplete answer or a closed connection gives a 502 without a retry', async () => {
  for (const provider of searchEngines) {
    for (const fault of ['malformed', 'cut']) {
      const { status, calls } = await under(provider, fault);
      proves('choice.502.nonsense', () =>
        expect([provider, fault, status, calls]).toEqual([provider, fault, 502, 1]),
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
  const { status, calls } = await under('engine_a', 'slow', { delay_ms: delayMs });
  proves('errors.search.200', () => expect([status, calls]).toEqual([200, 1]));
  const { gateway } = pair();
  const pages = { urls: ['https://gridlines.example/storage/solar-storage-guide'] };
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
