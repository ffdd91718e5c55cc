// Applications that can be pointed at the drop-in addresses: the requests that each one sends, read
// from its source, and what it reads from the answer.
import { expect, test } from 'bun:test';
import { sharedGateway } from '../harness.ts';

const gateway = sharedGateway();
const page = 'https://gridlines.example/storage/solar-storage-guide';
const json = { 'content-type': 'application/json' };

interface Sent {
  method: 'GET' | 'POST';
  /** Below /compat; `{key}` is replaced by the API key. */
  path: string;
  headers?: Record<string, string>;
  body?: object;
  /** What the application reads. */
  reads: object;
}

const bearer = { ...json, authorization: 'Bearer {key}' };
const post = (path: string, body: object, reads: object, headers = {}): Sent => ({
  ...{ method: 'POST', path, body, reads },
  headers: { ...bearer, ...headers },
});
const get = (path: string, reads: object, headers = {}): Sent => ({
  ...{ method: 'GET', path, reads, headers },
});
const found = { title: expect.any(String), url: expect.any(String), content: expect.any(String) };
const listed = { results: expect.arrayContaining([expect.objectContaining(found)]) };
const web = { success: true, data: { web: [{ url: expect.any(String) }] } };
const markdown = { markdown: expect.stringContaining('Solar') };
const read = { success: true, data: { ...markdown, metadata: { sourceURL: page } } };
const whole = { results: [{ url: page, raw_content: expect.stringContaining('Solar') }] };
const [scrape, search] = ['/firecrawl/v2/scrape', '/firecrawl/v2/search'];

const requests: [application: string, setting: string, Sent][] = [
  [
    'Open WebUI',
    'FIRECRAWL_API_BASE_URL, search',
    post(search, { query: 'solar', limit: 1, timeout: 3000, ignoreInvalidURLs: true }, web),
  ],
  [
    'Open WebUI',
    'FIRECRAWL_API_BASE_URL, loader',
    post(
      scrape,
      {
        ...{ url: page, formats: ['markdown'], timeout: 30_000 },
        ...{ skipTlsVerification: false, removeBase64Images: true },
      },
      read,
    ),
  ],
  [
    'Open WebUI',
    'SEARXNG_QUERY_URL',
    get(
      '/searxng/search?key={key}&q=solar&format=json&pageno=1&safesearch=1&language=all' +
        '&time_range=&categories=&theme=simple&image_proxy=0',
      listed,
    ),
  ],
  [
    'Open WebUI',
    'PERPLEXITY_SEARCH_API_URL',
    post(
      '/perplexity/search',
      { query: 'solar', max_results: 3 },
      { results: [{ url: expect.any(String), title: expect.any(String) }, {}, {}] },
      { 'x-pplx-integration': 'open-webui/0.9' },
    ),
  ],
  [
    'LibreChat',
    'searxngInstanceUrl, searxngApiKey',
    get(
      '/searxng/search?q=solar&format=json&pageno=1&categories=general&language=all' +
        '&safesearch=1&engines=google%2Cbing%2Cduckduckgo',
      listed,
      { ...json, 'x-api-key': '{key}' },
    ),
  ],
  [
    'LibreChat',
    'firecrawlApiUrl',
    post(scrape, { url: page, formats: ['markdown', 'rawHtml'], timeout: 7500 }, read),
  ],
  [
    'LibreChat',
    'tavilySearchUrl',
    post(
      '/tavily/search',
      { query: 'solar', search_depth: 'basic', topic: 'general', max_results: 8 },
      listed,
    ),
  ],
  [
    'LibreChat',
    'tavilyExtractUrl',
    post(
      '/tavily/extract',
      { urls: [page], extract_depth: 'basic', include_images: false, format: 'markdown' },
      whole,
    ),
  ],
  [
    'AnythingLLM',
    'AGENT_SEARXNG_API_URL',
    get('/searxng?key={key}&q=solar&format=json', listed, {
      ...json,
      'user-agent': 'anything-llm',
    }),
  ],
  [
    'n8n',
    'Firecrawl credential, its test',
    get(
      '/firecrawl/v2/team/credit-usage',
      { success: true, data: { remainingCredits: expect.any(Number) } },
      { authorization: 'Bearer {key}' },
    ),
  ],
  [
    'n8n',
    'Firecrawl credential, search',
    post(search, { integration: 'n8n', query: 'solar', limit: 1, sources: [{ type: 'web' }] }, web),
  ],
  [
    'n8n',
    'Firecrawl credential, scrape',
    post(scrape, { integration: 'n8n', url: page, parsers: ['pdf'] }, read),
  ],
  [
    'Dify',
    'SearXNG base URL',
    get('/searxng?key={key}&q=solar&time_range=year&format=json&categories=general', listed),
  ],
  [
    'Dify',
    'Firecrawl base URL, scrape',
    post(scrape, { url: page, onlyMainContent: true, waitFor: 0, timeout: 30_000 }, read),
  ],
  [
    'Dify',
    'Firecrawl base URL, search',
    post(
      search,
      {
        ...{ query: 'solar', limit: 1, sources: ['web'] },
        scrapeOptions: { formats: [{ type: 'markdown' }], onlyMainContent: true },
      },
      web,
    ),
  ],
  [
    'Flowise',
    'SearXNG, base URL and headers',
    {
      method: 'POST',
      path: '/searxng/search?q=solar&numResults=10&pageNumber=1&imageProxy=true&safesearch=0',
      headers: bearer,
      reads: { ...listed, answers: [], infoboxes: [], suggestions: [] },
    },
  ],
  [
    'Flowise',
    'FireCrawl API credential, scrape',
    post(
      '/firecrawl/v1/scrape',
      { url: page, formats: ['markdown'], onlyMainContent: true, integration: 'flowise' },
      read,
    ),
  ],
  [
    'Flowise',
    'FireCrawl API credential, search',
    post(
      '/firecrawl/v1/search',
      { query: 'solar', limit: 1, lang: 'en', country: 'us', integration: 'flowise' },
      { success: true, data: [{ description: expect.any(String), url: expect.any(String) }] },
    ),
  ],
];

test.each(requests)('%s is served: %s', async (_application, _setting, sent) => {
  const { url, key } = gateway();
  const withKey = (text: string) => text.replace('{key}', key);
  const headers = Object.entries(sent.headers ?? {}).map(([name, value]) => [name, withKey(value)]);
  const answer = await fetch(`${url}/compat${withKey(sent.path)}`, {
    method: sent.method,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(sent.body ? { body: JSON.stringify(sent.body) } : {}),
  });
  expect([answer.status, await answer.json()]).toMatchObject([200, sent.reads]);
});
