// The SearXNG endpoint for programs that take only its base URL, and paths that end in a slash.
import { describe, expect, test } from 'bun:test';
import { sharedGateway } from '../harness.ts';

const gateway = sharedGateway();
const found = { query: 'solar', results: expect.any(Array), suggestions: [] };
const noHeader = { authorization: null };

/** As LangChain's SearxSearchWrapper sends it (langchain-community 0.4.2 over requests). */
const asLangChain = {
  ...noHeader,
  'user-agent': 'python-requests/2.34.2',
  'accept-encoding': 'gzip, deflate',
  accept: '*/*',
};
const langChainQuery = 'language=en&format=json&q=solar';

describe("LangChain's SearxSearchWrapper", () => {
  test.each(['/compat/searxng', '/compat/searxng/', '/compat/searxng/search'])(
    'is served at %s with the key in the URL',
    async (path) => {
      const address = `${path}?key=${gateway().key}&${langChainQuery}`;
      const { status, body } = await gateway().get(address, asLangChain);
      expect([status, body]).toEqual([200, expect.objectContaining(found)]);
      const { results } = body as { results: Record<string, unknown>[] };
      // The fields that the wrapper reads from each result.
      expect(results[0]).toMatchObject({
        title: expect.any(String),
        url: expect.any(String),
        content: expect.any(String),
        engines: expect.any(Array),
        category: expect.any(String),
      });
    },
  );

  test('receives the reason of a refusal', async () => {
    const { status, text } = await gateway().get(`/compat/searxng?${langChainQuery}`, asLangChain);
    expect([status, text]).toEqual([401, expect.stringContaining('Send your API key')]);
  });

  test('receives a warning about engines that it cannot choose', async () => {
    const address = `/compat/searxng?key=${gateway().key}&${langChainQuery}&engines=bing%2Cwiki`;
    const { headers } = await gateway().get(address, asLangChain);
    expect(headers.get('x-trivium-warnings')).toContain('"param":"engines"');
  });
});

describe('a form', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

  test.each(['/compat/searxng', '/compat/searxng/', '/compat/searxng/search'])(
    'is accepted at %s',
    async (path) => {
      const { status, body } = await gateway().post(path, 'q=solar&format=json', form);
      expect([status, body]).toEqual([200, expect.objectContaining(found)]);
    },
  );

  test('may contain the key, and other parameters may be in the URL', async () => {
    const headers = { ...form, ...noHeader };
    const path = '/compat/searxng/search?format=json';
    const { status } = await gateway().post(path, `q=solar&key=${gateway().key}`, headers);
    expect(status).toBe(200);
  });

  test('of another content type is refused', async () => {
    const { status, text } = await gateway().post('/compat/searxng', { q: 'solar' });
    expect([status, text]).toEqual([400, expect.stringContaining('x-www-form-urlencoded')]);
  });

  test.each([
    ['/compat/searxng?q=a&q=b&format=json', undefined],
    ['/compat/searxng?q=a', 'q=b&format=json'],
    ['/compat/searxng?__proto__=a&__proto__=b&q=x', undefined],
  ])('with a repeated parameter is refused: %s', async (path, body) => {
    const { status, text } =
      body === undefined ? await gateway().get(path) : await gateway().post(path, body, form);
    expect([status, text]).toEqual([400, expect.stringContaining('more than once')]);
  });
});

test('a trailing slash does not change the meaning of a path', async () => {
  const query = { query: 'solar' };
  expect((await gateway().post('/v1/search/', query)).status).toBe(200);
  expect((await gateway().post('/compat/tavily/search/', query)).status).toBe(200);
  expect((await gateway().post('/compat/exa/search/?x=1', query)).status).toBe(200);
  const tools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const accept = { accept: 'application/json, text/event-stream' };
  expect((await gateway().post('/mcp/', tools, accept)).status).toBe(200);
  const paths = ['/v1/balance', '/v1/providers', '/docs', '/docs/agents', '/healthz', '/'];
  for (const path of [...paths, '/openapi.json', '/readyz', '/v1/jobs']) {
    const plain = await gateway().get(path);
    const slashed = await gateway().get(`${path}/`.replace('//', '/'));
    expect([path, slashed.status]).toEqual([path, plain.status]);
  }
  const id = `job_${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`;
  expect((await gateway().get(`/v1/jobs/${id}/`)).body).toMatchObject({
    error: { type: 'not_found', message: expect.not.stringContaining('There is nothing at') },
  });
  expect((await gateway().get('/v1/search/')).status).toBe(405);
});
