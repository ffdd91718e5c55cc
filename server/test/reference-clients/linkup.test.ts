// Linkup's own client as reference. It is older than the API: what it lacks is listed by name.
import { afterAll, expect, test } from 'bun:test';
import { LinkupClient } from 'linkup-sdk';
import type { FetchParams, SearchDepth, SearchParams } from 'linkup-sdk';
import { linkup } from '../../src/providers/linkup/adapter.ts';
import { sentBodies } from './sent-bodies.ts';

type ListSearch = Extract<SearchParams, { outputType: 'searchResults' }>;

/** The compiler keeps these tables equal to the client's own types. */
const searchFields: Record<keyof ListSearch, string> = {
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
const fetchFields: Record<keyof FetchParams, string> = {
  url: 'url',
  renderJs: 'renderJs',
  includeRawHtml: 'includeRawHtml',
  extractImages: 'extractImages',
};
const depths: Record<SearchDepth, true> = { standard: true, deep: true };
const outputTypes: Record<SearchParams['outputType'], true> = {
  searchResults: true,
  sourcedAnswer: true,
  structured: true,
};

/** Depths that are newer than the client. */
const newerDepths = ['flash', 'fast'];
/** Fetch modes that are newer than the client. */
const newerFetchFields = ['mode'];
/** Fixtures in which the caller sends invalid values on purpose. */
const ill = /\.bad-request\./;

const received: { path: string; authorization: string | null; body: Record<string, unknown> }[] =
  [];
const server = Bun.serve({
  port: 0,
  fetch: async (request) => {
    const body = (await request.json()) as Record<string, unknown>;
    const authorization = request.headers.get('authorization');
    received.push({ path: new URL(request.url).pathname, authorization, body });
    return Response.json({ results: [], markdown: '' });
  },
});
afterAll(() => server.stop(true));

const client = () => new LinkupClient({ apiKey: 'test-key', baseUrl: `${server.url.origin}/v1` });

for (const { file, body } of sentBodies('linkup', 'search').filter((one) => !ill.test(one.file))) {
  test(`${file} sends only known fields and values`, () => {
    const known = Object.values(searchFields);
    expect(Object.keys(body).filter((field) => !known.includes(field))).toEqual([]);
    expect([...Object.keys(depths), ...newerDepths]).toContain(String(body['depth']));
    expect(Object.keys(outputTypes)).toContain(String(body['outputType']));
  });

  test(`${file} is what the client itself would send`, async () => {
    received.length = 0;
    const params = Object.entries(searchFields).flatMap(([name, wire]) =>
      wire in body ? [[name, /Date$/.test(name) ? new Date(String(body[wire])) : body[wire]]] : [],
    );
    await client().search(Object.fromEntries(params) as SearchParams);
    const [one] = received;
    expect(one?.path).toBe('/v1/search');
    expect(one?.authorization).toBe(linkup.auth('test-key')['authorization'] ?? '');
    // The client writes a day as its first moment.
    expect(inDays(one?.body ?? {})).toEqual(body);
  });
}

for (const { file, body } of sentBodies('linkup', 'extract').filter((one) => !ill.test(one.file))) {
  test(`${file} is what the client itself would send`, async () => {
    received.length = 0;
    const known = [...Object.values(fetchFields), ...newerFetchFields];
    expect(Object.keys(body).filter((field) => !known.includes(field))).toEqual([]);
    await client().fetch(body as FetchParams);
    expect(received[0]).toMatchObject({ path: '/v1/fetch', body });
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
