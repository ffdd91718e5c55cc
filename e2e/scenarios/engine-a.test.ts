// engine_a from the side of its vendor: what it is sent, and what its answer becomes.
import { afterAll, expect } from 'bun:test';
import { createHash } from 'node:crypto';
import { sharedGateway } from '../harness.ts';
import { SearchAnswer } from '../shapes.ts';
import { exaAnswer, startUpstream, UPSTREAM_KEY } from '../upstream.ts';
import { scenario } from '../verifies.ts';

let reply: () => Response = () => exaAnswer([]);
const upstream = startUpstream(() => reply());
afterAll(() => upstream[Symbol.asyncDispose]());
const gateway = sharedGateway({ env: upstream.env });

const page = {
  id: 'https://www.example.org/water/membranes/?utm_source=feed',
  url: 'https://www.example.org/water/membranes/?utm_source=feed',
  title: 'Cheap membranes',
  publishedDate: '2026-03-14T09:21:07.000Z',
  author: 'R. Okafor',
  highlights: ['The pilot cut energy use by a fifth.', 'Costs fell.'],
  score: 0.42,
};

scenario(
  'a search reaches the vendor at the set address with the set credential',
  ['settings.base-address.engine-a', 'settings.credential.engine-a'],
  async () => {
    const { sent, path, headers } = await exchange({});
    expect(path).toBe('/search');
    expect(headers.get('x-api-key')).toBe(UPSTREAM_KEY);
    expect(sent).toMatchObject({ query: 'membranes', numResults: 10 });
  },
);

scenario('mode picks the tier of engine_a', ['search-engines.mode.engine-a'], async () => {
  const tiers = { instant: 'instant', fast: 'fast', balanced: 'auto', deep: 'deep' };
  for (const [mode, type] of Object.entries(tiers)) {
    const { sent, answer } = await exchange({ mode });
    expect(sent).toMatchObject({ type });
    expect(answer.warnings).toEqual([]);
  }
});

scenario(
  'domains and categories are native on engine_a',
  [
    'search-engines.include-domains.native',
    'search-engines.exclude-domains.native',
    'search-engines.category.native-a',
  ],
  async () => {
    const domains = await exchange({
      include_domains: ['example.org'],
      exclude_domains: ['blog.example.org'],
    });
    expect(domains.sent).toMatchObject({
      includeDomains: ['example.org'],
      excludeDomains: ['blog.example.org'],
    });
    expect(domains.answer.warnings).toEqual([]);
    const native = { company: 'company', people: 'people', research: 'publication' };
    for (const [category, sent_as] of Object.entries(native)) {
      const { sent, answer } = await exchange({ category });
      expect(sent).toMatchObject({ category: sent_as });
      expect(answer.warnings).toEqual([]);
    }
  },
);

scenario(
  'every field of a result comes from the field of the vendor that holds it',
  [
    'search-result.snippets-engine-a',
    'search-result.score-synthesized',
    'search-result.published-date',
    'search-result.author',
    'results.published-date.day',
    'money.ids.result',
  ],
  async () => {
    reply = () => exaAnswer([page]);
    const { answer } = await exchange({});
    const key_hash = createHash('sha256').update('example.org/water/membranes').digest('hex');
    expect(answer.results).toEqual([
      {
        id: `res_${key_hash.slice(0, 16)}`,
        url: page.url,
        title: page.title,
        snippets: page.highlights,
        score: 0.42,
        score_synthesized: false,
        published_date: '2026-03-14',
        author: 'R. Okafor',
        raw: page,
      },
    ]);
  },
);

scenario(
  'what the vendor leaves out is left out, and a missing score follows from the rank',
  [
    'results.score.rank',
    'results.score.missing-native',
    'results.title.null',
    'results.published-date.uncertain',
  ],
  async () => {
    reply = () =>
      exaAnswer([
        { url: 'https://example.org/1', title: '', author: '', publishedDate: null },
        { url: 'https://example.org/2', title: null, publishedDate: 'last spring' },
        { url: 'https://example.org/3', publishedDate: '2026-02-30T00:00:00.000Z' },
      ]);
    const { answer } = await exchange({});
    expect(answer.results.map(({ score }) => score)).toEqual([1, 0.5, 0.333333]);
    for (const result of answer.results) {
      expect(result.score_synthesized).toBe(true);
      expect(result.title).toBeNull();
      expect(result.snippets).toEqual([]);
      expect(result).not.toContainAnyKeys(['author', 'published_date', 'full_text', 'summary']);
    }
  },
);

scenario(
  'raw is the text of the vendor, with its order of keys and its way to write numbers',
  ['search-result.raw-verbatim', 'results.raw.key-order'],
  async () => {
    const result =
      '{"zone":1,"url":"https://example.org/","10":"ten","2":"two",' +
      '"serial":9007199254740993,"rate":1.50}';
    reply = () =>
      new Response(`{"requestId":"r","results":[${result}],"costDollars":{"total":0.007}}`, {
        headers: { 'content-type': 'application/json' },
      });
    const answer = await gateway().post('/v1/search', question);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`"raw":${result}`);
  },
);

scenario(
  'the cost is what the vendor reports, to the micro-dollar',
  ['usage.cost-is-the-provider-price', 'money.price.own-report'],
  async () => {
    reply = () => exaAnswer([page], 0.006789);
    const { answer } = await exchange({});
    expect(answer.usage).toEqual({ cost_usd: 0.006789, credits: 6.789 });
  },
);

scenario(
  'options of engine_a are merged deeply into its request, and those of others are not sent',
  [
    'search.provider-options.verbatim',
    'search.provider-options.uninspected',
    'search.provider-options.others-ignored',
    'requests.options.deep-merge',
    'requests.options.null-in-body',
    'requests.options.fusion-ignored',
  ],
  async () => {
    const { sent, answer } = await exchange({
      mode: 'fast',
      include_domains: ['example.org', 'example.com'],
      content: { full_text: true },
      strict: true,
      provider_options: {
        engine_a: {
          type: null,
          includeDomains: ['example.net'],
          contents: { extras: { links: 3 } },
          unheard_of: { deep: [1, { deeper: null }] },
        },
        engine_b: { stray: true },
        fusion: { top_k: 5 },
      },
    });
    expect(sent).toMatchObject({
      type: null,
      includeDomains: ['example.net'],
      contents: { text: true, extras: { links: 3 } },
      unheard_of: { deep: [1, { deeper: null }] },
    });
    expect(JSON.stringify(sent)).not.toMatch(/stray|top_k/);
    expect(answer.warnings).toEqual([]);
  },
);

scenario('a strict refusal never reaches the vendor', ['requests.strict.never-calls'], async () => {
  const before = upstream.received.length;
  const answer = await gateway().post('/v1/search', { ...question, offset: 3, strict: true });
  expect(answer.status).toBe(400);
  expect(upstream.received).toHaveLength(before);
});

const question = { query: 'membranes', provider: 'engine_a' };

async function exchange(changes: object) {
  const answer = await gateway().post('/v1/search', { ...question, ...changes });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  const last = upstream.received.at(-1);
  if (last === undefined) throw new Error('The upstream was never asked.');
  const { path, headers, body } = last;
  return { sent: body, path, headers, answer: SearchAnswer.parse(answer.body) };
}
