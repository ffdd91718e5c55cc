// Errors of the drop-in addresses: the client of each vendor shows the gateway's message.
import { describe, expect, test } from 'bun:test';
import Perplexity from '@perplexity-ai/perplexity_ai';
import { tavily } from '@tavily/core';
import Exa from 'exa-js';
import { Firecrawl } from 'firecrawl';
import { sharedGateway, startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { startUpstream } from '../upstream.ts';

const gateway = sharedGateway();
const wrongKey = `sk_live_${'x'.repeat(43)}`;

/** Each client sends a valid request, an invalid one, and one to an unknown path. */
const page = 'https://gridlines.example/storage/solar-storage-guide';
const clientsOf = ({ url, key }: Pick<Gateway, 'url' | 'key'>) => {
  const at = (name: string) => `${url}/compat/${name}`;
  const exa = new Exa(key, at('exa'));
  const perplexity = new Perplexity({ apiKey: key, baseURL: at('perplexity'), maxRetries: 0 });
  const ofTavily = tavily({ apiKey: key, apiBaseURL: at('tavily') });
  const firecrawl = new Firecrawl({ apiKey: key, apiUrl: at('firecrawl'), maxRetries: 1 });
  return {
    tavily: {
      ask: () => ofTavily.search('solar'),
      wrong: () => ofTavily.search('solar', { maxResults: 1000 }),
      unknownPath: () => ofTavily.getResearch('none'),
    },
    'tavily, extracting': {
      ask: () => ofTavily.extract([page]),
      wrong: () => ofTavily.extract(['no address']),
      unknownPath: () => ofTavily.getResearch('none'),
    },
    exa: {
      ask: () => exa.search('solar'),
      wrong: () => exa.search('solar', { numResults: 1000 }),
      unknownPath: () => exa.answer('solar'),
    },
    perplexity: {
      ask: () => perplexity.search.create({ query: 'solar' }),
      wrong: () => perplexity.search.create({ query: 'solar', max_results: 1000 }),
      unknownPath: () => perplexity.async.chat.completions.list(),
    },
    firecrawl: {
      ask: () => firecrawl.search('solar'),
      wrong: () => firecrawl.search('solar', { limit: 1000 }),
      unknownPath: () => firecrawl.getConcurrency(),
    },
    'firecrawl, scraping': {
      ask: () => firecrawl.scrape(page),
      wrong: () => firecrawl.scrape('no address'),
      unknownPath: () => firecrawl.startAgent({ prompt: 'x' }),
    },
  };
};
const names = [
  ...['tavily', 'tavily, extracting', 'exa', 'perplexity', 'firecrawl', 'firecrawl, scraping'],
] as const;

/** The error message that the user of a client reads. */
async function messageOf(ask: () => Promise<unknown>): Promise<string> {
  return ask().then(
    () => 'served',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe.each(names)('the client of %s shows', (name) => {
  const asks = (at: Pick<Gateway, 'url' | 'key'> = gateway()) => clientsOf(at)[name];

  test('the errors of an invalid request', async () => {
    expect(await messageOf(asks().wrong)).toMatch(/The request is not valid\. (max_results|urls)/);
  });

  test('that the key is unknown', async () => {
    const { url } = gateway();
    expect(await messageOf(asks({ url, key: wrongKey }).ask)).toContain('This API key is unknown');
  });

  test('that a path does not exist', async () => {
    expect(await messageOf(asks().unknownPath)).toContain('There is nothing at /compat/');
  });
});

test("Tavily's client shows that crawl, map and research are not served", async () => {
  const { url, key } = gateway();
  const ofTavily = tavily({ apiKey: key, apiBaseURL: `${url}/compat/tavily` });
  const asks = {
    crawl: () => ofTavily.crawl(page),
    map: () => ofTavily.map(page),
    research: () => ofTavily.research('solar'),
  };
  for (const [name, ask] of Object.entries(asks)) {
    expect(await messageOf(ask)).toContain(`This gateway does not offer ${name}.`);
    const refused = await gateway().post(`/compat/tavily/${name}`, {});
    expect(refused).toMatchObject({
      status: 501,
      body: { detail: { error: expect.stringContaining('does not offer') } },
    });
  }
});

test('every client shows that the balance is too low', async () => {
  await using withoutBalance = await startGateway({ env: { TRIVIUM_BOOTSTRAP_BALANCE_USD: '0' } });
  const clients = clientsOf(withoutBalance);
  for (const name of names) {
    expect([name, await messageOf(clients[name].ask)]).toEqual([
      name,
      expect.stringContaining('The balance of 0 USD does not cover'),
    ]);
  }
  const asked = { query: 'solar' };
  // Tavily's Python client shows the message of Tavily's own status 432, but not of a 402.
  expect((await withoutBalance.post('/compat/tavily/search', asked)).status).toBe(432);
  expect((await withoutBalance.post('/compat/exa/search', asked)).status).toBe(402);
});

test('every client shows that the rate limit is exceeded', async () => {
  await using limited = await startGateway({ env: { TRIVIUM_KEY_REQUESTS_PER_MINUTE: '1' } });
  await limited.post('/v1/search', { query: 'solar' });
  const clients = clientsOf(limited);
  for (const name of names) {
    const first = await messageOf(clients[name].ask);
    // A minute that has just begun serves one request.
    const message = first === 'served' ? await messageOf(clients[name].ask) : first;
    expect([name, message]).toEqual([
      name,
      expect.stringContaining('This key has reached its limit of 1 requests per minute'),
    ]);
  }
});

test('every client shows the error of the provider', async () => {
  await using upstream = startUpstream(() =>
    Response.json({ error: 'the index is being rebuilt' }, { status: 500 }),
  );
  await using behind = await startGateway({ env: upstream.env });
  const clients = clientsOf(behind);
  for (const name of names) {
    expect([name, await messageOf(clients[name].ask)]).toEqual([
      name,
      expect.stringContaining('the index is being rebuilt'),
    ]);
  }
});

describe('every error has the shape of the vendor', () => {
  const shapes: [string, unknown][] = [
    ['tavily', { detail: { error: expect.any(String) } }],
    ['exa', { error: expect.any(String), tag: expect.any(String) }],
    ['perplexity', { error: { message: expect.any(String), type: expect.any(String) } }],
    ['searxng', { error: expect.any(String) }],
    ['firecrawl/v2', { success: false, error: expect.any(String), code: expect.any(String) }],
  ];

  test.each(shapes)('%s', async (name, shape) => {
    const post = (path: string, body: unknown) => gateway().post(`/compat/${name}${path}`, body);
    const failures = [
      await gateway().get(`/compat/${name}/no/such/path`),
      await gateway().ask('DELETE', `/compat/${name}/search`),
      await post('/search', 'no object'),
      await post('/search', { query: 'x'.repeat(1024 * 1024) }),
      await gateway().get(`/compat/${name}/search`, { authorization: null }),
    ];
    for (const { status, body, headers } of failures) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(body).toMatchObject(shape as object);
      expect(headers.get('x-request-id')).toBeString();
    }
    expect(failures[1]?.headers.get('allow')).toContain('POST');
  });

  test('except for an API that the gateway does not imitate', async () => {
    const { status, body } = await gateway().get('/compat/constructor/search');
    expect([status, body]).toMatchObject([404, { error: { type: 'not_found' } }]);
  });
});
