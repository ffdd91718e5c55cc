// A failing provider: auto skips it, failover replaces it if enabled, and others are unaffected.
import { test } from 'bun:test';
import { providerIds } from '@trivium/contract';
import { moneyOf } from '../billing/small-account.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { submitJob } from '../jobs.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { SearchAnswer } from '../shapes.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';
import { waitFor } from '../wait-for.ts';

const question = { query: 'solar energy storage' };
/** More than enough failures for a circuit to open. */
const many = 40;
/** So long that the test ends before the next probes. */
const longPauseS = 4;
const providers = providerIds.length;
const healthy = {
  circuit: 'closed',
  credentials: 1,
  credentials_resting: 0,
  credentials_refused: 0,
  retry_at: null,
  last_refusal: null,
  running: 0,
  waiting: 0,
};

const ask = (gateway: Gateway, provider?: string) =>
  gateway.post('/v1/search', { ...question, provider });

const retryAfter = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'));

async function describe(gateway: Gateway): Promise<{ id: string; health?: unknown }[]> {
  const { body } = await gateway.get('/v1/providers');
  return (body as { providers: { id: string; health?: unknown }[] }).providers;
}

async function health(gateway: Gateway, id: string): Promise<unknown> {
  return (await describe(gateway)).find((provider) => provider.id === id)?.health;
}

async function healths(gateway: Gateway): Promise<unknown[]> {
  return (await describe(gateway)).map((provider) => provider.health);
}

test('auto skips a provider whose circuit is open, and the operator can see why', async () => {
  await using sandbox = await startTestSandbox();
  await using gateway = await startGateway({ sandbox: sandbox.url });
  await proves('surface.providers.health', async () =>
    expect(await healths(gateway)).toEqual(Array.from({ length: providers }, () => healthy)),
  );
  expect(SearchAnswer.parse((await ask(gateway)).body).provider).toBe('engine_a');
  await sandbox.fault('/exa', 'server_error');
  await Promise.all(Array.from({ length: many }, () => ask(gateway, 'engine_a')));
  // Probes fail too, and each time the pause is longer.
  await waitFor(async () => retryAfter(await ask(gateway, 'engine_a')), {
    what: 'the circuit is open for long',
    until: (seconds) => seconds >= longPauseS,
  });

  await proves('choice.auto.skips-open-circuit', async () =>
    expect(SearchAnswer.parse((await ask(gateway)).body).provider).toBe('engine_b'),
  );
  await proves('surface.providers.health', async () => {
    expect(await health(gateway, 'engine_a')).toMatchObject({
      circuit: 'open',
      retry_at: expect.stringMatching(/^2\d{3}-/),
      last_refusal: { kind: 'unavailable', status: 500 },
    });
    expect(await health(gateway, 'engine_b')).toEqual(healthy);
  });
  const { text } = await gateway.get('/metrics');
  expect(text).toContain('trivium_circuit_state{provider="engine_a"} 2');

  await sandbox.clearCalls();
  const refused = await ask(gateway, 'engine_a');
  expect(refused.status).toBe(502);
  expect(retryAfter(refused)).toBeGreaterThan(0);
  expect(await sandbox.calls('/exa')).toEqual([]);
});

test('with failover on, the next provider serves, is named, and alone is charged', async () => {
  await using sandbox = await startTestSandbox();
  const env = { TRIVIUM_FAILOVER: 'on' };
  await using gateway = await startGateway({ sandbox: sandbox.url, env });
  await sandbox.fault('/exa', 'server_error');
  const before = (await moneyOf(gateway)).balance / 1e6;
  const answer = SearchAnswer.parse((await ask(gateway)).body);
  proves('choice.failover.names-server', () => expect(answer.provider).toBe('engine_b'));
  expect(before - (await moneyOf(gateway)).balance / 1e6).toBeCloseTo(answer.usage.cost_usd, 6);
  // A provider that the caller names is not replaced.
  expect((await ask(gateway, 'engine_a')).status).toBe(502);

  // A call that may have been charged is never repeated with another provider.
  await sandbox.clearFaults();
  await sandbox.clearCalls();
  await sandbox.fault('/exa', 'cut');
  expect((await ask(gateway)).status).toBe(502);
  expect(await sandbox.calls('/parallel')).toEqual([]);
});

test('with failover from empty answers, the next provider serves, and both are charged', async () => {
  await using sandbox = await startTestSandbox();
  await using upstream = startUpstream(() => exaAnswer([]));
  const token = 'operator-token-of-thirty-two-characters';
  const env = { ...upstream.env, TRIVIUM_FAILOVER: 'empty', TRIVIUM_ADMIN_TOKEN: token };
  await using gateway = await startGateway({ sandbox: sandbox.url, env });
  const read = async (headers: Record<string, string> = {}, provider = 'auto') => {
    const before = (await moneyOf(gateway)).balance / 1e6;
    const asked = { query: 'solar', provider };
    const { body } = await gateway.post('/v1/search', asked, headers);
    const answer = SearchAnswer.parse(body);
    expect(before - (await moneyOf(gateway)).balance / 1e6).toBeCloseTo(answer.usage.cost_usd, 6);
    return [answer.provider, answer.results.length, answer.usage.cost_usd];
  };
  expect(await read()).toEqual(['engine_b', 10, 0.007 + 0.005]);
  const { body: log } = await gateway.get('/admin/v1/requests?limit=1', {
    authorization: `Bearer ${token}`,
  });
  expect(log).toMatchObject({ requests: [{ provider: 'engine_b', cost_usd: 0.012 }] });
  // The answer of a provider that the caller names is returned as it is.
  expect(await read({}, 'engine_a')).toEqual(['engine_a', 0, 0.007]);
  // So is the only one that the caller's own limit allows.
  expect(await read({ 'x-max-cost-usd': '0.008' })).toEqual(['engine_a', 0, 0.007]);
  const cached = { 'x-trivium-cache': '60' };
  expect(await read(cached)).toEqual(['engine_b', 10, 0.012]);
  const [provider, found, cost] = await read(cached);
  expect([provider, found]).toEqual(['engine_b', 10]);
  expect(cost).toBeLessThan(0.012);
  // When the next one fails, the answer without results is still an answer.
  await sandbox.fault('/parallel', 'cut');
  expect(await read()).toEqual(['engine_a', 0, 0.007]);

  const urls = ['https://gridlines.example/storage/solar-storage-guide'];
  const pages = await gateway.post('/v1/extract', { urls });
  expect(pages.body).toMatchObject({ provider: 'engine_c', results: [{ url: urls[0] }] });
});

test('the orders of auto and the defaults of parameters are settings', async () => {
  const env = {
    TRIVIUM_DEFAULTS_SEARCH: '{"max_results":3}',
    TRIVIUM_DEFAULTS_EXTRACT: '{"content":{"max_chars":100}}',
    TRIVIUM_DEFAULTS_TRANSCRIPTION: '{"diarize":true}',
    TRIVIUM_AUTO_SEARCH: 'engine_e,engine_a',
    TRIVIUM_AUTO_EXTRACT: 'engine_c',
    TRIVIUM_AUTO_TRANSCRIPTION: 'stt_c,stt_a',
  };
  await using gateway = await startGateway({ env });
  await proves('choice.auto.settings', async () =>
    expect(SearchAnswer.parse((await ask(gateway)).body).provider).toBe('engine_e'),
  );
  const pages = { urls: ['https://gridlines.example/storage/solar-storage-guide'] };
  const extracted = await gateway.post('/v1/extract', pages);
  const { results } = extracted.body as { results: { content: string }[] };
  expect(results[0]?.content.length).toBeLessThanOrEqual(100);
  const counted = async (body: object, path = '/v1/search') => {
    const found = (await gateway.post(path, { query: 'solar', ...body })).body;
    return (found as { results: unknown[] }).results.length;
  };
  expect([await counted({}), await counted({ max_results: 5 })]).toEqual([3, 5]);
  expect(await counted({}, '/compat/perplexity/search')).toBe(3);
  const submitted = await submitJob(gateway, {});
  proves('choice.auto.settings', () => {
    expect((extracted.body as { provider: string }).provider).toBe('engine_c');
    expect(submitted.provider).toBe('stt_c');
  });
});
