// Fusion: a panel asked at once, judged by what each of its engines answers when asked alone.
import { afterAll, afterEach, beforeAll, expect } from 'bun:test';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import type { SandboxProcess } from '../sandbox-process.ts';
import { ErrorAnswer, SearchAnswer } from '../shapes.ts';
import { scenario } from '../verifies.ts';

const PANEL = ['engine_a', 'engine_b', 'engine_j', 'engine_k'];
const MOUNTS = ['/exa', '/parallel', '/you', '/perplexity'] as const;
const QUESTION = { query: 'how to store solar energy at home', max_results: 10 };
const START_LIMIT_MS = 60_000;
/** Longer than any member is waited for. */
const NEVER_MS = 120_000;

let sandbox: SandboxProcess;
let gateway: Gateway;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
  gateway = await startGateway({ sandbox: sandbox.url });
}, START_LIMIT_MS);
afterEach(() => sandbox.clearFaults());
afterAll(async () => {
  await gateway.close();
  await sandbox.stop();
}, START_LIMIT_MS);

scenario(
  'a fusion of the default panel merges what its engines answer alone',
  [
    'fusion.merges-by-consensus',
    'fusion.max-results.sizes-members',
    'search-response.provider-fusion',
    'search-result.score-fusion',
    'search-result.raw-fusion',
    'merge.fields.synthesized',
  ],
  async () => {
    const answer = await fuse();
    const alone = await askAlone(PANEL);
    expect(answer.provider).toBe('fusion');
    expect(answer.warnings).toEqual([]);
    for (const result of answer.results) {
      const raw = providersOf(result.raw);
      const believers = PANEL.filter((engine) => alone[engine]?.has(plainAddress(result.url)));
      expect(Object.keys(raw)).toEqual(believers);
      expect(result.score).toBe(believers.length);
      expect(result.score_synthesized).toBe(true);
      for (const engine of believers) {
        const own = alone[engine]?.get(plainAddress(result.url))?.raw;
        expect(withoutTimes(raw[engine])).toBe(withoutTimes(own));
      }
    }
    const addresses = answer.results.map(({ url }) => plainAddress(url));
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(answer.results.some(({ score }) => score === PANEL.length)).toBe(true);
    expect(answer.results.length).toBeGreaterThan(QUESTION.max_results);
  },
);

scenario(
  'the first top_k pages of every engine are there, and nothing else that only one engine knows',
  ['fusion.top-k.default'],
  async () => {
    for (const top_k of [undefined, 1, 6]) {
      const answer = await fuse(top_k === undefined ? {} : { top_k });
      const kept = new Set(answer.results.map(({ url }) => plainAddress(url)));
      const alone = await askAlone(PANEL);
      const lists = PANEL.map((engine) => [...(alone[engine]?.keys() ?? [])]);
      for (const url of new Set(lists.flat())) {
        const ranks = lists.map((list) => list.indexOf(url) + 1).filter((rank) => rank > 0);
        const expected = ranks.length > 1 || Math.min(...ranks) <= (top_k ?? 3);
        expect([url, kept.has(url)]).toEqual([url, expected]);
      }
    }
  },
);

scenario(
  'a member late once is asked again, one late twice is dropped, and the others answer',
  ['panel.time-budget'],
  async () => {
    await sandbox.clearCalls();
    await sandbox.fault('/you', 'slow', { delay_ms: NEVER_MS, times: 1 });
    await sandbox.fault('/perplexity', 'slow', { delay_ms: NEVER_MS });
    const answer = await fuse({ timeout_ms: 1500 });
    const asked = await Promise.all(MOUNTS.map((mount) => sandbox.calls(mount)));
    expect(asked.map((calls) => calls.length)).toEqual([1, 1, 2, 2]);
    const heard = new Set(answer.results.flatMap(({ raw }) => Object.keys(providersOf(raw))));
    expect([...heard].toSorted()).toEqual(['engine_a', 'engine_b', 'engine_j']);
    expect(answer.warnings).toHaveLength(1);
    expect(answer.warnings[0]?.code).toBe('results_post_filtered');
    expect(answer.warnings[0]?.message).toMatch(/^engine_k: .*1500 ms/);
    expect(answer.usage.cost_usd).toBeCloseTo(0.007 + 0.005 + 0.005, 6);
    // Two tries of the same length, one after the other: a longer second one would never end here.
    expect(answer.latency_ms).toBeGreaterThanOrEqual(2 * 1500);
  },
);

scenario(
  'members wait side by side, so the slowest one sets the time',
  ['search-response.latency-fusion'],
  async () => {
    const delay_ms = 2000;
    for (const mount of MOUNTS) await sandbox.fault(mount, 'slow', { delay_ms });
    const answer = await fuse();
    expect(answer.warnings).toEqual([]);
    expect(answer.latency_ms).toBeGreaterThanOrEqual(delay_ms);
    expect(answer.latency_ms).toBeLessThan(MOUNTS.length * delay_ms);
  },
);

scenario(
  'when every member fails the answer is a 502 with the reason of each',
  ['panel.all-failed'],
  async () => {
    await sandbox.fault('/exa', 'rate_limited');
    await sandbox.fault('/parallel', 'server_error');
    await sandbox.fault('/you', 'out_of_credit');
    await sandbox.fault('/perplexity', 'unauthorized');
    const answer = await gateway.post('/v1/search', { ...QUESTION, provider: 'fusion' });
    expect(answer.status).toBe(502);
    const { error } = ErrorAnswer.parse(answer.body);
    expect(error.type).toBe('provider_error');
    expect(error.detail).toMatchObject({
      members: [
        { provider: 'engine_a', status: 429 },
        { provider: 'engine_b', status: 500 },
        { provider: 'engine_j', status: 402 },
        { provider: 'engine_k', status: 401 },
      ],
    });
    for (const engine of PANEL) expect(error.message).toContain(engine);
  },
);

scenario(
  'a panel shrinks to what a deployment has, down to one member, and nobody left is a 503',
  ['panel.one-configured', 'panel.named-missing', 'panel.named-none-left'],
  async () => {
    await using small = await startGateway({
      sandbox: sandbox.url,
      env: {
        EXA_API_KEY: undefined,
        PARALLEL_API_KEY: undefined,
        TRIVIUM_DISABLED_PROVIDERS: 'engine_j',
      },
    });
    const ask = (fusion: object) =>
      small.post('/v1/search', { ...QUESTION, provider: 'fusion', provider_options: { fusion } });
    const alone = await ask({});
    expect(alone.status).toBe(200);
    const told = SearchAnswer.parse(alone.body).warnings;
    expect(told.map(({ code, message }) => [code, message.split(':')[0]])).toEqual(
      ['engine_a', 'engine_b', 'engine_j'].map((engine) => ['results_post_filtered', engine]),
    );
    const named = await ask({ providers: ['engine_j', 'engine_c', 'engine_k'] });
    expect(SearchAnswer.parse(named.body).warnings).toMatchObject([
      { code: 'results_post_filtered', param: 'provider_options.fusion.providers' },
    ]);
    const nobody = await ask({ providers: ['engine_a', 'engine_j'] });
    expect(nobody.status).toBe(503);
    expect(ErrorAnswer.parse(nobody.body).error.type).toBe('provider_not_configured');
  },
);

scenario(
  'an explanation comes in a header when it is asked for, and the body stays the same',
  ['merge.deterministic'],
  async () => {
    const request = { ...QUESTION, provider: 'fusion' };
    const plain = await gateway.post('/v1/search', request);
    const explained = await gateway.post('/v1/search', request, { 'x-trivium-explain': '1' });
    expect(plain.headers.has('x-trivium-explain')).toBe(false);
    const explanation = JSON.parse(explained.headers.get('x-trivium-explain') ?? '') as {
      results: { id: string; ranks: Record<string, number> }[];
    };
    const { results } = SearchAnswer.parse(explained.body);
    expect(withoutTimes(results)).toBe(withoutTimes(SearchAnswer.parse(plain.body).results));
    expect(explanation.results.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
    explanation.results.forEach(({ ranks }, index) => {
      expect(Object.keys(ranks)).toHaveLength(results[index]?.score ?? 0);
    });
  },
);

async function fuse(fusion: object = {}) {
  const answer = await gateway.post('/v1/search', {
    ...QUESTION,
    provider: 'fusion',
    provider_options: { fusion },
  });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return SearchAnswer.parse(answer.body);
}

/** The list of each engine by plain address, in its order. */
async function askAlone(engines: readonly string[]) {
  const lists: Record<string, Map<string, { raw?: unknown }>> = {};
  for (const provider of engines) {
    const answer = await gateway.post('/v1/search', { ...QUESTION, provider });
    if (answer.status !== 200) throw new Error(`${provider}: ${answer.text}`);
    const { results } = SearchAnswer.parse(answer.body);
    lists[provider] = new Map(results.map((result) => [plainAddress(result.url), result]));
  }
  return lists;
}

/** Enough to recognise a page of the sandbox's web, where only slashes are written differently. */
function plainAddress(url: string): string {
  return url.replace(/\/$/, '');
}

/** Some pages are always a few days old, to the millisecond: two answers differ in nothing else. */
function withoutTimes(value: unknown): string {
  return JSON.stringify(value).replace(/(?<=\d{4}-\d{2}-\d{2})T[\d:.]+/g, '');
}

function providersOf(raw: unknown): Record<string, unknown> {
  return (raw as { providers: Record<string, unknown> }).providers;
}
