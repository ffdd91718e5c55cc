// An offset is exact on engines d and e, whatever page size their vendors use.
import { afterAll, test } from 'bun:test';
import { askSearch, warningCodes } from '../asking.ts';
import { sharedGateway } from '../harness.ts';
import { startUpstream } from '../upstream.ts';
import type { Received } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const most = 400;
const pageUrl = (number: number) => `https://site.example/page/${number}`;

/** Numbered pages for both vendors: whole pages of `count` for one, of ten for the other. */
function answer({ path, query, body }: Received): Response {
  if (path.startsWith('/brave')) {
    const count = Number(query.get('count'));
    const results = numbers(count * Number(query.get('offset') ?? 0), count).map((number) => ({
      url: pageUrl(number),
      title: `Page ${number}`,
      description: 'text',
    }));
    return Response.json({ type: 'search', web: { type: 'search', results } });
  }
  const { page } = body as { page: number };
  const organic = numbers((page - 1) * 10, 10).map((number) => ({
    link: pageUrl(number),
    title: `Page ${number}`,
    snippet: 'text',
  }));
  return Response.json({ searchParameters: { q: 'x' }, organic, credits: 1 });
}

function numbers(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index).filter((one) => one < most);
}

const upstream = startUpstream(answer);
afterAll(() => upstream[Symbol.asyncDispose]());
const gateway = sharedGateway({
  env: {
    TRIVIUM_SANDBOX: 'off',
    BRAVE_API_KEY: 'key',
    BRAVE_BASE_URL: `${upstream.url}/brave`,
    SERPER_API_KEY: 'key',
    SERPER_BASE_URL: `${upstream.url}/serper`,
  },
});

const windows: [offset: number, max_results: number][] = [
  [0, 10],
  [3, 10],
  [7, 20],
  [9, 2],
  [19, 20],
  [99, 20],
  [180, 20],
];

test('the results start at the offset, in the requested number, without a warning', async () => {
  for (const provider of ['engine_d', 'engine_e']) {
    for (const [offset, maxResults] of windows) {
      const found = await askSearch(gateway(), {
        query: 'pages',
        provider,
        offset,
        max_results: maxResults,
        strict: true,
      });
      proves('search-engines.offset.native', () => {
        expect([provider, offset, maxResults, found.results.map(({ url }) => url)]).toEqual([
          provider,
          offset,
          maxResults,
          numbers(offset, maxResults).map(pageUrl),
        ]);
        expect(found.warnings).toEqual([]);
      });
    }
  }
});

test('engine_e returns a hundred results, and engine_d warns past its last page', async () => {
  const many = await askSearch(gateway(), {
    query: 'pages',
    provider: 'engine_e',
    offset: 5,
    max_results: 100,
  });
  proves('search-engines.offset.native', () =>
    expect(many.results.map(({ url }) => url)).toEqual(numbers(5, 100).map(pageUrl)),
  );
  expect(many.usage.cost_usd).toBe(0.011);
  const beyond = await askSearch(gateway(), {
    query: 'pages',
    provider: 'engine_d',
    offset: 250,
  });
  expect(warningCodes(beyond)).toEqual(['offset: param_approximated']);
});
