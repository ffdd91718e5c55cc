// Fusion: a panel called in parallel, compared with what each of its engines answers alone.
import { beforeAll, test } from 'bun:test';
import { sharedSandbox } from '../harness.ts';
import type { WithSandbox } from '../harness.ts';
import { ErrorAnswer, SearchAnswer } from '../shapes.ts';
import { expect, proves } from '../proves.ts';

const panel = ['engine_a', 'engine_b', 'engine_j', 'engine_k'];
const mounts = ['/exa', '/parallel', '/you', '/perplexity'] as const;
const question = { query: 'how to store solar energy at home', max_results: 10 };

const pair = sharedSandbox();
let { gateway, sandbox } = {} as WithSandbox;
beforeAll(() => {
  ({ gateway, sandbox } = pair());
});

test('a fusion of the default panel merges what its engines answer alone', async () => {
  const answer = await fuse();
  const alone = await askAlone(panel);
  proves('search-response.provider-fusion', () => expect(answer.provider).toBe('fusion'));
  expect(answer.warnings).toEqual([]);
  for (const result of answer.results) {
    const raw = providersOf(result.raw);
    const members = panel.filter((engine) => alone[engine]?.has(plainAddress(result.url)));
    proves('search-result.raw-fusion', () => expect(Object.keys(raw)).toEqual(members));
    proves('search-result.score-fusion', () => expect(result.score).toBe(members.length));
    proves('merge.fields.synthesized', () => expect(result.score_synthesized).toBe(true));
    for (const engine of members) {
      const own = alone[engine]?.get(plainAddress(result.url))?.raw;
      proves('search-result.raw-fusion', () =>
        expect(withoutTimes(raw[engine])).toBe(withoutTimes(own)),
      );
    }
  }
  const addresses = answer.results.map(({ url }) => plainAddress(url));
  proves('fusion.merges-by-consensus', () => {
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(answer.results.some(({ score }) => score === panel.length)).toBe(true);
  });
  proves('fusion.max-results.sizes-members', () =>
    expect(answer.results.length).toBeGreaterThan(question.max_results),
  );
});

test('members are called in parallel, so the slowest one determines the latency', async () => {
  const delayMs = 2000;
  for (const mount of mounts) await sandbox.fault(mount, 'slow', { delay_ms: delayMs });
  const answer = await fuse();
  expect(answer.warnings).toEqual([]);
  proves('search-response.latency-fusion', () => {
    expect(answer.latency_ms).toBeGreaterThanOrEqual(delayMs);
    expect(answer.latency_ms).toBeLessThan(mounts.length * delayMs);
  });
});

test('when every member fails, the answer is a 502 with the reason of each', async () => {
  await sandbox.fault('/exa', 'rate_limited');
  await sandbox.fault('/parallel', 'server_error');
  await sandbox.fault('/you', 'out_of_credit');
  await sandbox.fault('/perplexity', 'unauthorized');
  const answer = await gateway.post('/v1/search', { ...question, provider: 'fusion' });
  proves('panel.all-failed', () => {
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
    for (const engine of panel) expect(error.message).toContain(engine);
  });
});

test('x-trivium-explain adds a header on request, and the body stays the same', async () => {
  const request = { ...question, provider: 'fusion' };
  const plain = await gateway.post('/v1/search', request);
  const explained = await gateway.post('/v1/search', request, { 'x-trivium-explain': '1' });
  expect(plain.headers.has('x-trivium-explain')).toBe(false);
  const explanation = JSON.parse(explained.headers.get('x-trivium-explain') ?? '') as {
    results: { id: string; ranks: Record<string, number>; evidence: number; why: string }[];
    few_pages?: string;
  };
  const { results } = SearchAnswer.parse(explained.body);
  proves('merge.deterministic', () =>
    expect(withoutTimes(results)).toBe(withoutTimes(SearchAnswer.parse(plain.body).results)),
  );
  proves('merge.explained', () => {
    expect(explanation.results.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
    explanation.results.forEach(({ ranks, evidence, why }, index) => {
      expect(Object.keys(ranks)).toHaveLength(results[index]?.score ?? 0);
      expect(why).toContain(`vidence ${evidence}`);
    });
  });
  expect(explanation.few_pages).toBeUndefined();
});

test('the overlap of two members is shown after twenty fusions, and in the metrics', async () => {
  const members = { providers: ['engine_a', 'engine_k'] };
  for (let search = 0; search < 20; search += 1) await fuse(members);
  const { providers } = (await gateway.get('/v1/providers')).body as {
    providers: { id: string; overlap?: { provider: string }[] }[];
  };
  const shown = providers.find(({ id }) => id === 'engine_a')?.overlap;
  expect(shown?.map(({ provider }) => provider)).toContain('engine_k');
  const { text } = await gateway.get('/metrics');
  expect(text).toContain('trivium_fusion_shared_pages_total{one="engine_a",other="engine_k"}');
});

async function fuse(fusion: object = {}) {
  const answer = await gateway.post('/v1/search', {
    ...question,
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
    const answer = await gateway.post('/v1/search', { ...question, provider });
    if (answer.status !== 200) throw new Error(`${provider}: ${answer.text}`);
    const { results } = SearchAnswer.parse(answer.body);
    lists[provider] = new Map(results.map((result) => [plainAddress(result.url), result]));
  }
  return lists;
}

/** Identifies a page of the sandbox, where addresses differ in trailing slashes only. */
function plainAddress(url: string): string {
  return url.replace(/\/$/, '');
}

/** Removes times of day: some pages of the sandbox age with the clock. */
function withoutTimes(value: unknown): string {
  return JSON.stringify(value).replace(/(?<=\d{4}-\d{2}-\d{2})T[\d:.]+/g, '');
}

function providersOf(raw: unknown): Record<string, unknown> {
  return (raw as { providers: Record<string, unknown> }).providers;
}
