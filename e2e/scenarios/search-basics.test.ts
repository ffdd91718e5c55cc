// Searches with engine_a in the built-in sandbox.
import { test } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { SearchAnswer } from '../shapes.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway();

const question = { query: 'solar energy storage', provider: 'engine_a' };

test('a plain search answers with ten results, no warnings, its cost and its latency', async () => {
  const answer = await ask(question);
  proves('search-response.id', () => expect(answer.id).toMatch(/^srch_[0-9a-f]+$/));
  // The shape is strict.
  proves('search-response.nothing-else', () =>
    expect(SearchAnswer.safeParse(answer).error).toBeUndefined(),
  );
  proves('search-response.provider', () => expect(answer.provider).toBe('engine_a'));
  proves('search-response.results', () => expect(answer.results).toHaveLength(10));
  proves(['search-response.warnings', 'warnings.empty-when-exact'], () =>
    expect(answer.warnings).toEqual([]),
  );
  proves('search-response.usage', () => expect(answer.usage.cost_usd).toBeGreaterThan(0));
  proves(['usage.credits-beside-cost', 'money.credits.unit'], () =>
    expect(answer.usage.credits).toBeCloseTo(answer.usage.cost_usd / 0.001, 6),
  );
  proves(['search-response.latency', 'results.latency.whole'], () =>
    expect(Number.isInteger(answer.latency_ms) && answer.latency_ms >= 0).toBe(true),
  );
  for (const result of answer.results) {
    proves('search-result.url', () => expect(URL.canParse(result.url)).toBe(true));
    proves('search-result.snippets', () => expect(result.snippets.length).toBeGreaterThan(0));
    proves('search-result.title', () =>
      expect(result.title === null || result.title.length > 0).toBe(true),
    );
    proves('search-result.raw-always', () => expect(result.raw).toMatchObject({ url: result.url }));
  }
});

test('a search without a provider is served by the first engine of the order', async () => {
  await proves('search.provider.default-auto', async () =>
    expect((await ask({ query: question.query })).provider).toBe('engine_a'),
  );
  await proves('search-response.provider-resolved-from-auto', async () =>
    expect((await ask({ ...question, provider: 'auto' })).provider).toBe('engine_a'),
  );
});

test('search ids are UUIDv7 and sort by time', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push((await ask(question)).id);
  proves(['identifiers.search-prefix', 'money.ids.search-suffix'], () => {
    for (const id of ids) expect(id).toMatch(/^srch_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  });
  expect(new Set(ids).size).toBe(ids.length);
  const times = ids.map((id) => id.slice(0, 'srch_'.length + 12));
  proves('money.ids.time-ordered', () => expect(times).toEqual(times.toSorted()));
});

test('a page has one id, within a search and in every other', async () => {
  const first = await ask(question);
  const ids = new Set(first.results.map(({ id }) => id));
  proves('identifiers.search-result-stable', () =>
    expect(ids.size).toBe(new Set(first.results.map(({ url }) => url)).size),
  );
  const known = new Map(first.results.map(({ url, id }) => [url, id]));
  const second = await ask({ ...question, max_results: 20 });
  const shared = second.results.filter(({ url }) => known.has(url));
  expect(shared.length).toBeGreaterThan(0);
  proves('money.ids.result-across-searches', () => {
    for (const { url, id } of shared) expect(id).toBe(known.get(url) ?? '');
  });
});

test('max_results bounds the list', async () => {
  await proves('search.max-results.honoured', async () => {
    expect((await ask({ ...question, max_results: 1 })).results).toHaveLength(1);
    expect((await ask({ ...question, max_results: 7 })).results).toHaveLength(7);
  });
  await proves('search.max-results.default-ten', async () =>
    expect((await ask(question)).results).toHaveLength(10),
  );
});

test('full text and summary are returned on request, and only then', async () => {
  const plain = await ask(question);
  proves(['search-result.full-text', 'search-result.summary'], () => {
    for (const result of plain.results) {
      expect(result).not.toContainAnyKeys(['full_text', 'summary']);
    }
  });
  const withContent = await ask({ ...question, content: { full_text: true, summary: true } });
  proves(['search-engines.full-text.native-a', 'search-engines.summary.native-a'], () =>
    expect(withContent.warnings).toEqual([]),
  );
  proves(['search-result.full-text', 'search-engines.full-text.native-a'], () =>
    expect(withContent.results.some(({ full_text }) => full_text !== undefined)).toBe(true),
  );
  proves(['search-result.summary', 'search-engines.summary.native-a'], () =>
    expect(withContent.results.some(({ summary }) => summary !== undefined)).toBe(true),
  );
});

async function ask(request: object) {
  const answer = await gateway().post('/v1/search', request);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return SearchAnswer.parse(answer.body);
}
