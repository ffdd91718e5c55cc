// Linkup's own client against the sandbox: it is understood, and can parse the responses.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { LinkupClient } from 'linkup-sdk';
import { startSandbox } from '../../src/index.ts';
import type { Sandbox } from '../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const client = (apiKey = 'any') => new LinkupClient({ apiKey, baseUrl: `${sandbox.url}/linkup` });
const failureOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const plain = { depth: 'standard', outputType: 'searchResults' } as const;

describe('the official client', () => {
  test('completes a search with domains and dates', async () => {
    const { results } = await client().search({
      ...plain,
      query: 'battery storage',
      maxResults: 3,
      excludeDomains: ['energy.atlas.example'],
      fromDate: new Date('2020-01-01'),
      toDate: new Date('2100-01-01'),
    });
    expect(results).toHaveLength(3);
    for (const result of results) {
      expect(result.type).toBe('text');
      expect(result.name).not.toBe('');
      expect(new URL(result.url).hostname).not.toBe('energy.atlas.example');
      expect(result).toHaveProperty('content', expect.stringMatching(/\w/));
    }
  });

  test('gets images only when it asks for them', async () => {
    const search = { ...plain, query: 'photovoltaics solar cells' };
    const { results: texts } = await client().search(search);
    const { results: mixed } = await client().search({ ...search, includeImages: true });
    expect(texts.some(({ type }) => type === 'image')).toBe(false);
    expect(mixed.some(({ type }) => type === 'image')).toBe(true);
  });

  test('reads an answer with its sources', async () => {
    const { answer, sources } = await client().search({
      query: 'battery storage',
      depth: 'deep',
      outputType: 'sourcedAnswer',
    });
    expect(answer).not.toBe('');
    expect(sources.length).toBeGreaterThan(0);
  });

  test('fetches a page as markdown', async () => {
    const { markdown } = await client().fetch({ url: 'https://pages.example/moved' });
    expect(markdown).toStartWith('# A page that moved house');
    expect(markdown).toContain('used to live at another address');
  });

  test('distinguishes the kinds of failure', async () => {
    const nothing = client().search({ ...plain, query: 'zxqv wvuq' });
    const refused = client('bad').search({ ...plain, query: 'battery' });
    const ill = client().search({ ...plain, query: 'battery', maxResults: 0.5 });
    const gone = client().fetch({ url: 'https://pages.example/gone' });
    const file = client().fetch({ url: 'https://pages.example/film.mp4' });
    expect(await failureOf(nothing)).toHaveProperty('name', 'LinkupNoResultError');
    expect(await failureOf(refused)).toHaveProperty('name', 'LinkupAuthenticationError');
    expect(await failureOf(ill)).toHaveProperty('name', 'LinkupInvalidRequestError');
    expect(await failureOf(gone)).toHaveProperty('name', 'LinkupFetchError');
    expect(await failureOf(file)).toHaveProperty('name', 'FetchUrlIsFileError');
  });

  test('gets the status of a rate limit for an exhausted account', async () => {
    await fetch(`${sandbox.url}/__sandbox/faults`, {
      method: 'POST',
      body: JSON.stringify({ mount: '/linkup', fault: 'out_of_credit', times: 1 }),
    });
    const failure = await failureOf(client().search({ ...plain, query: 'battery' }));
    expect(failure).toHaveProperty('name', 'LinkupInsufficientCreditError');
  });
});

describe('the API', () => {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${sandbox.url}/linkup${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };

  test('lists every invalid field, and refuses unknown fields', async () => {
    const { status, body } = await post('/search', { q: 'battery', depth: 'abyss', query: 'x' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      statusCode: 400,
      error: {
        code: 'VALIDATION_ERROR',
        details: [{ field: 'depth' }, { field: 'outputType' }, { field: 'query' }],
      },
    });
  });

  test('accepts at most a hundred domains to include and fifty to exclude', async () => {
    const sites = (count: number) =>
      Array.from({ length: count }, (_, index) => `site${index}.example`);
    const search = { ...plain, q: 'battery storage' };
    const known = { includeDomains: 'www.sunstore.example', excludeDomains: 'site.example' };
    for (const [name, most] of [
      ['includeDomains', 100],
      ['excludeDomains', 50],
    ] as const) {
      // Without any result, Linkup answers 400.
      const full = await post('/search', { ...search, [name]: [...sites(most - 1), known[name]] });
      const over = await post('/search', { ...search, [name]: sites(most + 1) });
      expect([name, full.status, over.status]).toEqual([name, 200, 400]);
    }
  });

  test('reports an invalid URL of a page', async () => {
    const { status, body } = await post('/fetch', { url: 'ftp://pages.example/x' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: [{ field: 'url' }] },
    });
  });
});
