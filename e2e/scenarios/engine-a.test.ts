// engine_a: the request that the vendor receives, and the mapping of its response.
import { afterAll, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { sharedGateway } from '../harness.ts';
import { SearchAnswer } from '../shapes.ts';
import { exaAnswer, startUpstream, upstreamKey } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

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

test('the vendor gets its credential at its address, with domains and categories of its own', async () => {
  const domains = await exchange({
    include_domains: ['example.org'],
    exclude_domains: ['blog.example.org'],
  });
  proves('settings.base-address.engine-a', () => expect(domains.path).toBe('/search'));
  proves('settings.credential.engine-a', () =>
    expect(domains.headers.get('x-api-key')).toBe(upstreamKey),
  );
  proves(['search-engines.include-domains.native', 'search-engines.exclude-domains.native'], () => {
    expect(domains.sent).toMatchObject({
      includeDomains: ['example.org'],
      excludeDomains: ['blog.example.org'],
    });
    expect(domains.answer.warnings).toEqual([]);
  });
  const native = { company: 'company', people: 'people', research: 'publication' };
  for (const [category, sentAs] of Object.entries(native)) {
    const { sent, answer } = await exchange({ category });
    proves('search-engines.category.native-a', () => {
      expect(sent).toMatchObject({ category: sentAs });
      expect(answer.warnings).toEqual([]);
    });
  }
});

test('every field of a result comes from its field in the answer of the vendor', async () => {
  reply = () => exaAnswer([page]);
  const { answer } = await exchange({});
  const keyHash = createHash('sha256').update('example.org/water/membranes').digest('hex');
  proves(
    [
      'search-result.snippets-engine-a',
      'search-result.score-native',
      'search-result.score-synthesized',
      'search-result.published-date',
      'search-result.author',
      'results.published-date.day',
      'money.ids.result',
    ],
    () =>
      expect(answer.results).toEqual([
        {
          id: `res_${keyHash.slice(0, 16)}`,
          url: page.url,
          title: page.title,
          snippets: page.highlights,
          score: 0.42,
          score_synthesized: false,
          published_date: '2026-03-14',
          author: 'R. Okafor',
          raw: page,
        },
      ]),
  );
});

test('missing fields are left out, and a missing score follows from the rank', async () => {
  reply = () =>
    exaAnswer([
      { url: 'https://example.org/1', title: '', author: '', publishedDate: null },
      { url: 'https://example.org/2', title: null, publishedDate: 'last spring' },
      { url: 'https://example.org/3', publishedDate: '2026-02-30T00:00:00.000Z' },
    ]);
  const { answer } = await exchange({});
  proves(['results.score.rank', 'results.score.missing-native'], () =>
    expect(answer.results.map(({ score }) => score)).toEqual([1, 0.5, 0.333333]),
  );
  for (const result of answer.results) {
    proves('search-result.score-synthesized', () => expect(result.score_synthesized).toBe(true));
    proves('results.title.null', () => expect(result.title).toBeNull());
    expect(result.snippets).toEqual([]);
    proves(
      ['search-result.author', 'search-result.published-date', 'results.published-date.uncertain'],
      () =>
        expect(result).not.toContainAnyKeys(['author', 'published_date', 'full_text', 'summary']),
    );
  }
});

test('options of engine_a are merged deeply, and options of others are not sent', async () => {
  const { sent, answer } = await exchange({
    mode: 'fast',
    include_domains: ['example.org', 'example.com'],
    content: { full_text: true },
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
  proves(
    [
      'search.provider-options.verbatim',
      'search.provider-options.uninspected',
      'requests.options.deep-merge',
      'requests.options.null-in-body',
    ],
    () =>
      expect(sent).toMatchObject({
        type: null,
        includeDomains: ['example.net'],
        contents: { text: true, extras: { links: 3 } },
        unheard_of: { deep: [1, { deeper: null }] },
      }),
  );
  proves(['search.provider-options.others-ignored', 'requests.options.fusion-ignored'], () => {
    expect(JSON.stringify(sent)).not.toMatch(/stray|top_k/);
    expect(answer.warnings.map(({ code, param }) => `${param}: ${code}`)).toEqual([
      'mode: param_ignored',
      'include_domains: param_ignored',
    ]);
  });
});

const question = { query: 'membranes', provider: 'engine_a' };

async function exchange(changes: object) {
  const answer = await gateway().post('/v1/search', { ...question, ...changes });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  const last = upstream.received.at(-1);
  if (last === undefined) throw new Error('The upstream received no request.');
  const { path, headers, body } = last;
  return { sent: body, path, headers, answer: SearchAnswer.parse(answer.body) };
}
