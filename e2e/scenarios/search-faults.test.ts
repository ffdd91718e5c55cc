// When a vendor fails a search: what is tried again, what is not, and what the caller is told.
import { expect } from 'bun:test';
import { askSearch } from '../asking.ts';
import { search_engines, search_mounts } from '../engines.ts';
import type { SearchEngine } from '../engines.ts';
import { startGateway } from '../harness.ts';
import { ErrorAnswer } from '../shapes.ts';
import { sharedSandbox } from '../shared-sandbox.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { scenario } from '../verifies.ts';

const pair = sharedSandbox();
const query = 'solar energy storage';

/** How a search under a fault ended, and how often the vendor was asked. */
async function under(
  provider: SearchEngine,
  fault: string,
  options: object = {},
): Promise<{ status: number; calls: number; detail: unknown }> {
  const { gateway, sandbox } = pair();
  await sandbox.clearFaults();
  await sandbox.clearCalls();
  await sandbox.fault(search_mounts[provider], fault, options);
  const answer = await gateway.post('/v1/search', { query, provider });
  const calls = (await sandbox.calls(search_mounts[provider])).length;
  const detail = answer.status === 200 ? null : ErrorAnswer.parse(answer.body).error.detail;
  return { status: answer.status, calls, detail };
}

scenario(
  'the error of a vendor is a 502 with its own status and body, on every engine',
  ['errors.detail-provider'],
  async () => {
    for (const provider of search_engines) {
      const { status, calls, detail } = await under(provider, 'server_error');
      expect([provider, status, calls]).toEqual([provider, 502, 1]);
      const { body, ...rest } = detail as { body: unknown; provider: string; status: number };
      expect(rest.provider).toBe(provider);
      expect(rest.status).toBeGreaterThanOrEqual(500);
      expect([provider, JSON.stringify(body)]).toEqual([
        provider,
        expect.stringMatching(/[a-z]{3} /),
      ]);
    }
  },
);

scenario(
  'a refused key and an empty account are told at once, on every engine',
  ['errors.detail-provider'],
  async () => {
    for (const provider of search_engines) {
      for (const fault of ['unauthorized', 'out_of_credit']) {
        const { status, calls } = await under(provider, fault);
        expect([provider, fault, status, calls]).toEqual([provider, fault, 502, 1]);
      }
    }
  },
);

scenario(
  'a 503 is tried once more, and a 429 when the vendor names a short pause',
  ['calls.retry.503', 'calls.retry.429'],
  async () => {
    for (const provider of search_engines) {
      const once = { times: 1, retry_after: 0 };
      const mended = await under(provider, 'unavailable', once);
      expect([provider, mended.status, mended.calls]).toEqual([provider, 200, 2]);
      const slowed = await under(provider, 'rate_limited', once);
      expect([provider, slowed.status, slowed.calls]).toEqual([provider, 200, 2]);
      const lasting = await under(provider, 'unavailable', { retry_after: 0 });
      expect([provider, lasting.status, lasting.calls]).toEqual([provider, 502, 2]);
    }
    const later = await under('engine_a', 'rate_limited', { retry_after: 60 });
    expect([later.status, later.calls]).toEqual([502, 1]);
  },
);

scenario(
  'an answer that breaks off, or is cut with its connection, is a 502 and not asked for again',
  ['choice.502.nonsense'],
  async () => {
    for (const provider of search_engines) {
      for (const fault of ['malformed', 'cut']) {
        const { status, calls } = await under(provider, fault);
        expect([provider, fault, status, calls]).toEqual([provider, fault, 502, 1]);
      }
    }
  },
);

scenario(
  'an engine that finds nothing is a search without results, not an error',
  ['errors.search.200'],
  async () => {
    const { gateway, sandbox } = pair();
    for (const provider of search_engines) {
      await sandbox.fault(search_mounts[provider], 'empty');
      const { results, warnings } = await askSearch(gateway, { query, provider });
      expect([provider, results, warnings]).toEqual([provider, [], []]);
    }
  },
);

scenario('a vendor that is merely slow is waited for', ['errors.search.200'], async () => {
  const { status, calls } = await under('engine_a', 'slow', { delay_ms: 1500 });
  expect([status, calls]).toEqual([200, 1]);
});

scenario(
  'a vendor that does not answer within thirty seconds is a 502, and is not asked again',
  ['choice.502.no-answer', 'calls.timeout.search', 'calls.retry.never-after-timeout'],
  async () => {
    const { gateway, sandbox } = pair();
    await sandbox.clearCalls();
    await sandbox.fault('/exa', 'slow', { delay_ms: 60_000, times: 1 });
    const answer = await gateway.post('/v1/search', { query, provider: 'engine_a' });
    expect(answer.status).toBe(502);
    const { error } = ErrorAnswer.parse(answer.body);
    expect(error.type).toBe('provider_error');
    expect(error.message).toContain('30000 ms');
    expect(error.detail).toEqual({ provider: 'engine_a', status: null, body: null });
    expect(await sandbox.calls('/exa')).toHaveLength(1);
  },
);

scenario(
  'a vendor that cannot be reached is a 502 that says so',
  ['errors.search.502'],
  async () => {
    const nobody = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const { port } = nobody;
    await nobody.stop(true);
    const env = {
      TRIVIUM_SANDBOX: 'off',
      EXA_API_KEY: 'key',
      EXA_BASE_URL: `http://127.0.0.1:${port}`,
    };
    await using gateway = await startGateway({ env });
    const answer = await gateway.post('/v1/search', { query, provider: 'engine_a' });
    expect(answer.status).toBe(502);
    const { error } = ErrorAnswer.parse(answer.body);
    expect(error.message).toMatch(/cannot be reached/);
    expect(error.detail).toEqual({ provider: 'engine_a', status: null, body: null });
  },
);

scenario(
  'a 400 that only means another dialect is repeated once in that dialect',
  ['calls.retry.described-400'],
  async () => {
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
    expect(modes).toEqual(['restrict', 'filter']);
  },
);

scenario('another 400 is not repeated', ['calls.retry.described-400'], async () => {
  let answers = 0;
  await using upstream = startUpstream(() => {
    answers += 1;
    return answers === 1
      ? Response.json({ error: 'no such thing', tag: 'INVALID_REQUEST_BODY' }, { status: 400 })
      : exaAnswer([]);
  });
  await using gateway = await startGateway({ env: upstream.env });
  const answer = await gateway.post('/v1/search', { query, provider: 'engine_a' });
  expect([answer.status, answers]).toEqual([502, 1]);
});
