// You.com's own client as reference. It is older than the API: what it lacks is listed by name.
import { afterAll, expect, test } from 'bun:test';
import { You } from '@youdotcom-oss/sdk';
import { Country, Freshness, Language } from '@youdotcom-oss/sdk/models';
import { FormatEnum1 } from '@youdotcom-oss/sdk/models/operations';
import type { ContentsRequest, SearchRequest } from '@youdotcom-oss/sdk/models/operations';
import { languageOf, you } from '../../src/providers/you/adapter.ts';
import { commonCountries } from '../../src/providers/shared/rows.ts';
import { sentBodies } from './sent-bodies.ts';

/** The compiler keeps these tables equal to the client's own types. */
const searchFields: Record<keyof SearchRequest, string> = {
  query: 'query',
  count: 'count',
  freshness: 'freshness',
  offset: 'offset',
  country: 'country',
  language: 'language',
  safesearch: 'safesearch',
  livecrawl: 'livecrawl',
  livecrawlFormats: 'livecrawl_formats',
};
const contentsFields: Record<keyof ContentsRequest, string> = { urls: 'urls', format: 'format' };

/** Fields of the POST form, which is newer than the client: it still searches by GET. */
const newerSearchFields = ['include_domains', 'exclude_domains', 'boost_domains', 'extraction'];
/** A list replaced the single `format`. */
const newerContentsFields = ['formats'];
/** Clients since 2.4.0 write `JA` for Japanese and refuse the `JP` of this one. */
const renamedLanguages: Readonly<Record<string, string>> = { JP: 'JA' };
const languages = Object.values<string>(Language).map((code) => renamedLanguages[code] ?? code);

const received: { path: string; key: string | null; query: Record<string, string> }[] = [];
const server = Bun.serve({
  port: 0,
  fetch: (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const query = Object.fromEntries(searchParams);
    received.push({ path: pathname, key: request.headers.get('x-api-key'), query });
    return Response.json({ results: { web: [], news: [] }, metadata: null });
  },
});
afterAll(() => server.stop(true));

for (const { file, body } of sentBodies('you', 'search')) {
  test(`${file} sends only known fields and values`, () => {
    const known = [...Object.values(searchFields), ...newerSearchFields];
    expect(Object.keys(body).filter((field) => !known.includes(field))).toEqual([]);
    const { country, language, freshness } = body;
    if (country !== undefined) expect(Object.values<unknown>(Country)).toContain(country);
    if (language !== undefined) expect(languages).toContain(String(language));
    if (freshness !== undefined && !Object.values<unknown>(Freshness).includes(freshness)) {
      expect(freshness).toMatch(/^\d{4}-\d{2}-\d{2}to\d{4}-\d{2}-\d{2}$/);
    }
  });

  test(`${file} sends what the client would send in the fields that both have`, async () => {
    received.length = 0;
    const shared = Object.fromEntries(
      Object.values(searchFields).flatMap((name) => (name in body ? [[name, body[name]]] : [])),
    );
    if (Object.values(renamedLanguages).includes(String(shared['language']))) {
      delete shared['language'];
    }
    const client = new You({ apiKeyAuth: 'test-key' });
    await client.search(shared, { serverURL: server.url.origin });
    const [one] = received;
    expect(one?.path).toBe('/v1/search');
    expect(one?.key).toBe(you.auth('test-key')['x-api-key'] ?? '');
    // The client sends English by default, which the vendor assumes as well.
    expect(one?.query).toEqual({ language: 'EN', ...texts(shared) });
  });
}

for (const { file, body } of sentBodies('you', 'extract')) {
  test(`${file} sends only known fields and formats`, () => {
    const known = [...Object.values(contentsFields), ...newerContentsFields];
    expect(Object.keys(body).filter((field) => !known.includes(field))).toEqual([]);
    const formats: string[] = Object.values(FormatEnum1);
    for (const format of body['formats'] as string[]) expect(formats).toContain(format);
  });
}

test('our lists of countries and languages are those of the client', () => {
  expect([...commonCountries].toSorted()).toEqual(Object.values<string>(Country).toSorted());
  for (const language of languages) expect(languageOf(language)).toBe(language);
});

test('languages with another spelling are translated, unknown ones are not sent', () => {
  const codes = ['ja', 'zh', 'pt', 'no', 'nb', 'de', 'uk', 'sw'];
  expect(codes.map(languageOf)).toEqual([
    'JA',
    'ZH-HANS',
    'PT-BR',
    'NB',
    'NB',
    'DE',
    'UK',
    undefined,
  ]);
});

function texts(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
