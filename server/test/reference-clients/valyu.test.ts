// Valyu's own client as reference: given the same options, it sends the same bodies.
import { afterAll, expect, test } from 'bun:test';
import { Valyu } from 'valyu-js';
import type { ContentsOptions, CountryCode, SearchOptions } from 'valyu-js';
import { commonCountries } from '../../src/providers/shared/rows.ts';
import { valyu } from '../../src/providers/valyu/adapter.ts';
import { sentBodies } from './sent-bodies.ts';

/** The compiler keeps these tables equal to the client's own types. */
const searchFields: Record<keyof SearchOptions, string> = {
  searchType: 'search_type',
  maxNumResults: 'max_num_results',
  maxPrice: 'max_price',
  isToolCall: 'is_tool_call',
  relevanceThreshold: 'relevance_threshold',
  includedSources: 'included_sources',
  excludeSources: 'excluded_sources',
  sourceBiases: 'source_biases',
  category: 'category',
  startDate: 'start_date',
  endDate: 'end_date',
  historicalCache: 'historical_cache',
  historicalCacheStrict: 'historical_cache_strict',
  includeAbstracts: 'include_abstracts',
  countryCode: 'country_code',
  responseLength: 'response_length',
  fastMode: 'fast_mode',
  urlOnly: 'url_only',
  instructions: 'instructions',
};
const contentsFields: Record<keyof ContentsOptions, string> = {
  summary: 'summary',
  extractEffort: 'extract_effort',
  responseLength: 'response_length',
  maxPriceDollars: 'max_price_dollars',
  screenshot: 'screenshot',
  async: 'async',
  webhookUrl: 'webhook_url',
  startDate: 'start_date',
  endDate: 'end_date',
  historicalCache: 'historical_cache',
  historicalCacheStrict: 'historical_cache_strict',
};

const received: { path: string; key: string | null; body: unknown }[] = [];
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const body: unknown = await request.json();
    received.push({
      path: new URL(request.url).pathname,
      key: request.headers.get('x-api-key'),
      body,
    });
    return Response.json({ success: true, results: [] });
  },
});
afterAll(() => server.stop(true));

const client = () => new Valyu('test-key', `${server.url.origin}/v1`);
/** Fixtures in which the caller sends invalid values on purpose. */
const ill = /\.bad-request\./;

for (const { file, body } of sentBodies('valyu', 'search').filter((one) => !ill.test(one.file))) {
  test(`${file} is what the client itself would send`, async () => {
    received.length = 0;
    const known = ['query', ...Object.values(searchFields)];
    expect(Object.keys(body).filter((field) => !known.includes(field))).toEqual([]);
    const answer = await client().search(String(body['query']), optionsOf(searchFields, body));
    expect(answer).toMatchObject({ success: true });
    const [one] = received;
    expect(one?.path).toBe('/v1/search');
    expect(one?.key).toBe(valyu.auth('test-key')['x-api-key'] ?? '');
    // The client sends the threshold that is the default of the server.
    expect(one?.body).toEqual({ relevance_threshold: 0.5, ...body });
  });
}

for (const { file, body } of sentBodies('valyu', 'extract').filter((one) => !ill.test(one.file))) {
  test(`${file} is what the client itself would send`, async () => {
    received.length = 0;
    const known = ['urls', ...Object.values(contentsFields)];
    expect(Object.keys(body).filter((field) => !known.includes(field))).toEqual([]);
    await client().contents(body['urls'] as string[], optionsOf(contentsFields, body));
    expect(received).toMatchObject([{ path: '/v1/contents', body }]);
    expect(String(body['summary']).length).toBeLessThanOrEqual(500);
    expect(JSON.stringify(body['summary'] ?? '').length).toBeLessThan(5000);
  });
}

test('our list of countries is that of the client', () => {
  const codes: Record<CountryCode, true> = {
    ALL: true,
    AR: true,
    AU: true,
    AT: true,
    BE: true,
    BR: true,
    CA: true,
    CL: true,
    DK: true,
    FI: true,
    FR: true,
    DE: true,
    HK: true,
    IN: true,
    ID: true,
    IT: true,
    JP: true,
    KR: true,
    MY: true,
    MX: true,
    NL: true,
    NZ: true,
    NO: true,
    CN: true,
    PL: true,
    PT: true,
    PH: true,
    RU: true,
    SA: true,
    ZA: true,
    ES: true,
    SE: true,
    CH: true,
    TW: true,
    TR: true,
    GB: true,
    US: true,
  };
  expect([...commonCountries, 'ALL'].toSorted()).toEqual(Object.keys(codes).toSorted());
});

/** The client's names for the fields of a body. */
function optionsOf(
  fields: Readonly<Record<string, string>>,
  body: Record<string, unknown>,
): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, wire]) => wire in body);
  return Object.fromEntries(given.map(([name, wire]) => [name, body[wire]]));
}
