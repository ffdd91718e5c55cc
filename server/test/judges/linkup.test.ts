// Linkup's own client as judge. It is older than our wire: what it lacks is listed by name.
import { afterAll, expect, test } from 'bun:test';
import { LinkupClient } from 'linkup-sdk';
import type { FetchParams, SearchDepth, SearchParams } from 'linkup-sdk';
import { linkup } from '../../src/providers/linkup.ts';
import { sentBodies } from './sent-bodies.ts';

type ListSearch = Extract<SearchParams, { outputType: 'searchResults' }>;

/** The compiler keeps these tables equal to the client's own types. */
const search_fields: Record<keyof ListSearch, string> = {
  query: 'q',
  depth: 'depth',
  outputType: 'outputType',
  includeImages: 'includeImages',
  includeDomains: 'includeDomains',
  excludeDomains: 'excludeDomains',
  fromDate: 'fromDate',
  toDate: 'toDate',
  maxResults: 'maxResults',
};
const fetch_fields: Record<keyof FetchParams, string> = {
  url: 'url',
  renderJs: 'renderJs',
  includeRawHtml: 'includeRawHtml',
  extractImages: 'extractImages',
};
const depths: Record<SearchDepth, true> = { standard: true, deep: true };
const output_types: Record<SearchParams['outputType'], true> = {
  searchResults: true,
  sourcedAnswer: true,
  structured: true,
};

/** Depths that came after the client. */
const newer_depths = ['flash', 'fast'];
/** Fetch modes came after the client too. */
const newer_fetch_fields = ['mode'];
/** Fixtures whose caller sends nonsense on purpose. */
const ill = /\.bad-request\./;

const heard: { path: string; authorization: string | null; body: Record<string, unknown> }[] = [];
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const body = (await request.json()) as Record<string, unknown>;
    const authorization = request.headers.get('authorization');
    heard.push({ path: new URL(request.url).pathname, authorization, body });
    return Response.json({ results: [], markdown: '' });
  },
});
afterAll(() => server.stop(true));

const client = () => new LinkupClient({ apiKey: 'judge', baseUrl: `${server.url.origin}/v1` });

for (const { file, body } of sentBodies('linkup', 'search').filter((one) => !ill.test(one.file))) {
  test(`${file} sends only known fields and values`, () => {
    const known = Object.values(search_fields);
    expect(Object.keys(body).filter((field) => !known.includes(field))).toEqual([]);
    expect([...Object.keys(depths), ...newer_depths]).toContain(String(body['depth']));
    expect(Object.keys(output_types)).toContain(String(body['outputType']));
  });

  test(`${file} is what the client itself would send`, async () => {
    heard.length = 0;
    const params = Object.entries(search_fields).flatMap(([name, wire]) =>
      wire in body ? [[name, /Date$/.test(name) ? new Date(String(body[wire])) : body[wire]]] : [],
    );
    await client().search(Object.fromEntries(params) as SearchParams);
    const [one] = heard;
    expect(one?.path).toBe('/v1/search');
    expect(one?.authorization).toBe(linkup.auth('judge')['authorization'] ?? '');
    // The client writes a day as its first moment.
    expect(inDays(one?.body ?? {})).toEqual(body);
  });
}

for (const { file, body } of sentBodies('linkup', 'extract').filter((one) => !ill.test(one.file))) {
  test(`${file} is what the client itself would send`, async () => {
    heard.length = 0;
    const known = [...Object.values(fetch_fields), ...newer_fetch_fields];
    expect(Object.keys(body).filter((field) => !known.includes(field))).toEqual([]);
    await client().fetch(body as FetchParams);
    expect(heard[0]).toMatchObject({ path: '/v1/fetch', body });
  });
}

function inDays(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      /Date$/.test(name) ? String(value).replace('T00:00:00.000Z', '') : value,
    ]),
  );
}
