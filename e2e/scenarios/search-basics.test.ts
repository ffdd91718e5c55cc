// A first search: engine_a in the built-in sandbox, exactly, with warnings, and under strict.
import { expect } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { InvalidRequest, SearchAnswer } from '../shapes.ts';
import { scenario } from '../verifies.ts';

const gateway = sharedGateway();

const question = { query: 'solar energy storage', provider: 'engine_a' };

scenario(
  'a plain search answers with ten results, no warnings, its cost and its time',
  [
    'search-response.id',
    'search-response.provider',
    'search-response.results',
    'search-response.warnings',
    'search-response.usage',
    'search-response.latency',
    'search-response.nothing-else',
    'search-result.url',
    'search-result.title',
    'search-result.snippets',
    'search-result.raw-always',
    'warnings.empty-when-exact',
    'usage.credits-beside-cost',
    'money.credits.unit',
    'results.latency.whole',
  ],
  async () => {
    const answer = await ask(question);
    expect(answer.provider).toBe('engine_a');
    expect(answer.results).toHaveLength(10);
    expect(answer.warnings).toEqual([]);
    expect(answer.usage.cost_usd).toBeGreaterThan(0);
    expect(answer.usage.credits).toBeCloseTo(answer.usage.cost_usd / 0.001, 6);
    expect(Number.isInteger(answer.latency_ms) && answer.latency_ms >= 0).toBe(true);
    for (const result of answer.results) {
      expect(URL.canParse(result.url)).toBe(true);
      expect(result.snippets.length).toBeGreaterThan(0);
      expect(result.raw).toMatchObject({ url: result.url });
    }
  },
);

scenario(
  'a search that names no provider is served by the first of the list',
  ['search.provider.default-auto', 'search-response.provider-resolved-from-auto'],
  async () => {
    expect((await ask({ query: question.query })).provider).toBe('engine_a');
    expect((await ask({ ...question, provider: 'auto' })).provider).toBe('engine_a');
  },
);

scenario(
  'search ids are made of UUIDv7 and follow the clock',
  ['identifiers.search-prefix', 'money.ids.search-suffix', 'money.ids.time-ordered'],
  async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await ask(question)).id);
    for (const id of ids) expect(id).toMatch(/^srch_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(new Set(ids).size).toBe(ids.length);
    const times = ids.map((id) => id.slice(0, 'srch_'.length + 12));
    expect(times).toEqual(times.toSorted());
  },
);

scenario(
  'a page has one id, within a search and in every other',
  ['identifiers.search-result-stable', 'money.ids.result-across-searches'],
  async () => {
    const first = await ask(question);
    const ids = new Set(first.results.map(({ id }) => id));
    expect(ids.size).toBe(new Set(first.results.map(({ url }) => url)).size);
    const known = new Map(first.results.map(({ url, id }) => [url, id]));
    const second = await ask({ ...question, max_results: 20 });
    const shared = second.results.filter(({ url }) => known.has(url));
    expect(shared.length).toBeGreaterThan(0);
    for (const { url, id } of shared) expect(id).toBe(known.get(url) ?? '');
  },
);

scenario(
  'max_results bounds the list',
  ['search.max-results.honoured', 'search.max-results.default-ten'],
  async () => {
    expect((await ask({ ...question, max_results: 1 })).results).toHaveLength(1);
    expect((await ask({ ...question, max_results: 7 })).results).toHaveLength(7);
    expect((await ask(question)).results).toHaveLength(10);
  },
);

scenario(
  'full text and summary come when they are asked for, and only then',
  [
    'search-result.full-text',
    'search-result.summary',
    'search-engines.full-text.native-a',
    'search-engines.summary.native-a',
  ],
  async () => {
    const plain = await ask(question);
    for (const result of plain.results) {
      expect(result).not.toContainAnyKeys(['full_text', 'summary']);
    }
    const rich = await ask({ ...question, content: { full_text: true, summary: true } });
    expect(rich.warnings).toEqual([]);
    expect(rich.results.some(({ full_text }) => full_text !== undefined)).toBe(true);
    expect(rich.results.some(({ summary }) => summary !== undefined)).toBe(true);
  },
);

scenario(
  'snippets are cut to the asked number and length without a warning',
  ['requests.snippets.exact-engine-a'],
  async () => {
    const snippets = { max_per_result: 1, max_chars_per_snippet: 12 };
    const answer = await ask({ ...question, content: { snippets }, strict: true });
    expect(answer.warnings).toEqual([]);
    expect(answer.results).toHaveLength(10);
    for (const result of answer.results) {
      expect(result.snippets).toHaveLength(1);
      expect(result.snippets[0]?.length).toBeLessThanOrEqual(12);
    }
  },
);

const unhonoured = { safe_search: 'strict', offset: 5, locale: { country: 'de', language: 'de' } };
const told = [
  ['locale.country', 'param_approximated'],
  ['locale.language', 'param_ignored'],
  ['offset', 'param_ignored'],
  ['safe_search', 'param_ignored'],
];

scenario(
  'what engine_a cannot honour is served all the same and named in warnings',
  [
    'warnings.shape',
    'warnings.param-names-the-field',
    'warnings.param-ignored',
    'warnings.param-approximated',
    'search.strict.default-false',
    'search-engines.safe-search.ignored-by-a',
    'search-engines.offset.ignored-by-a',
  ],
  async () => {
    for (const strict of [{}, { strict: false }]) {
      const answer = await ask({ ...question, ...unhonoured, ...strict });
      expect(answer.results).toHaveLength(10);
      expect(answer.warnings.map(({ param, code }) => [param ?? '', code]).toSorted()).toEqual(
        told,
      );
    }
  },
);

scenario(
  'strict refuses the same request with one issue for each warning',
  ['search.strict.refuses', 'requests.issues.strict'],
  async () => {
    const answer = await gateway().post('/v1/search', { ...question, ...unhonoured, strict: true });
    expect(answer.status).toBe(400);
    const { issues } = InvalidRequest.parse(answer.body).error.detail;
    expect(issues.map(({ path, code }) => [path, code]).toSorted()).toEqual(told);
  },
);

scenario(
  'values that ask for nothing neither warn nor offend strict',
  ['requests.neutral.no-warning'],
  async () => {
    const neutral = {
      content: { full_text: false, summary: false },
      offset: 0,
      category: 'general',
      safe_search: 'off',
      include_domains: [],
      exclude_domains: [],
      provider_options: {},
    };
    for (const strict of [true, false]) {
      const answer = await ask({ ...question, ...neutral, strict });
      expect(answer.warnings).toEqual([]);
      expect(answer.results).toHaveLength(10);
    }
  },
);

async function ask(request: object) {
  const answer = await gateway().post('/v1/search', request);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return SearchAnswer.parse(answer.body);
}
