// Applications that can be pointed at the drop-in addresses: the requests that each one sends, read
// from its source, and what it reads from the answer.
import { expect, test } from 'bun:test';
import { sharedGateway } from '../harness.ts';

const gateway = sharedGateway();
const page = 'https://gridlines.example/storage/solar-storage-guide';
const json = { 'content-type': 'application/json' };

interface Sent {
  method: 'GET' | 'POST';
  /** `{key}` is replaced by the API key. */
  path: string;
  headers?: Record<string, string>;
  body?: object;
  /** What the application reads. */
  reads: object;
}

const bearer = { ...json, authorization: 'Bearer {key}' };
const found = { title: expect.any(String), url: expect.any(String), content: expect.any(String) };
const listed = { results: expect.arrayContaining([expect.objectContaining(found)]) };
const web = { success: true, data: { web: [{ url: expect.any(String) }] } };
const markdown = { markdown: expect.stringContaining('Solar') };
const read = { success: true, data: { ...markdown, metadata: { sourceURL: page } } };

const requests: [application: string, setting: string, Sent][] = [
  [
    'Open WebUI',
    'FIRECRAWL_API_BASE_URL, search',
    {
      method: 'POST',
      path: '/compat/firecrawl/v2/search',
      headers: bearer,
      body: { query: 'solar', limit: 1, timeout: 3000, ignoreInvalidURLs: true },
      reads: web,
    },
  ],
  [
    'Open WebUI',
    'FIRECRAWL_API_BASE_URL, loader',
    {
      method: 'POST',
      path: '/compat/firecrawl/v2/scrape',
      headers: bearer,
      body: {
        url: page,
        formats: ['markdown'],
        skipTlsVerification: false,
        removeBase64Images: true,
        timeout: 30_000,
      },
      reads: read,
    },
  ],
  [
    'Open WebUI',
    'SEARXNG_QUERY_URL',
    {
      method: 'GET',
      path:
        '/compat/searxng/search?key={key}&q=solar&format=json&pageno=1&safesearch=1&language=all' +
        '&time_range=&categories=&theme=simple&image_proxy=0',
      reads: listed,
    },
  ],
  [
    'Open WebUI',
    'PERPLEXITY_SEARCH_API_URL',
    {
      method: 'POST',
      path: '/compat/perplexity/search',
      headers: { ...bearer, 'x-pplx-integration': 'open-webui/0.9' },
      body: { query: 'solar', max_results: 3 },
      reads: { results: [{ url: expect.any(String), title: expect.any(String) }, {}, {}] },
    },
  ],
  [
    'LibreChat',
    'searxngInstanceUrl, searxngApiKey',
    {
      method: 'GET',
      path:
        '/compat/searxng/search?q=solar&format=json&pageno=1&categories=general&language=all' +
        '&safesearch=1&engines=google%2Cbing%2Cduckduckgo',
      headers: { ...json, 'x-api-key': '{key}' },
      reads: listed,
    },
  ],
  [
    'LibreChat',
    'firecrawlApiUrl',
    {
      method: 'POST',
      path: '/compat/firecrawl/v2/scrape',
      headers: bearer,
      body: { url: page, formats: ['markdown', 'rawHtml'], timeout: 7500 },
      reads: read,
    },
  ],
  [
    'LibreChat',
    'tavilySearchUrl',
    {
      method: 'POST',
      path: '/compat/tavily/search',
      headers: bearer,
      body: { query: 'solar', search_depth: 'basic', topic: 'general', max_results: 8 },
      reads: listed,
    },
  ],
  [
    'LibreChat',
    'tavilyExtractUrl',
    {
      method: 'POST',
      path: '/compat/tavily/extract',
      headers: bearer,
      body: { urls: [page], extract_depth: 'basic', include_images: false, format: 'markdown' },
      reads: { results: [{ url: page, raw_content: expect.stringContaining('Solar') }] },
    },
  ],
  [
    'AnythingLLM',
    'AGENT_SEARXNG_API_URL',
    {
      method: 'GET',
      path: '/compat/searxng?key={key}&q=solar&format=json',
      headers: { ...json, 'user-agent': 'anything-llm' },
      reads: listed,
    },
  ],
  [
    'n8n',
    'Firecrawl credential, its test',
    {
      method: 'GET',
      path: '/compat/firecrawl/v2/team/credit-usage',
      headers: { authorization: 'Bearer {key}' },
      reads: { success: true, data: { remainingCredits: expect.any(Number) } },
    },
  ],
  [
    'n8n',
    'Firecrawl credential, search',
    {
      method: 'POST',
      path: '/compat/firecrawl/v2/search',
      headers: bearer,
      body: { integration: 'n8n', query: 'solar', limit: 1, sources: [{ type: 'web' }] },
      reads: web,
    },
  ],
  [
    'n8n',
    'Firecrawl credential, scrape',
    {
      method: 'POST',
      path: '/compat/firecrawl/v2/scrape',
      headers: bearer,
      body: { integration: 'n8n', url: page, parsers: ['pdf'] },
      reads: read,
    },
  ],
  [
    'Dify',
    'SearXNG base URL',
    {
      method: 'GET',
      path: '/compat/searxng?key={key}&q=solar&time_range=year&format=json&categories=general',
      reads: listed,
    },
  ],
  [
    'Dify',
    'Firecrawl base URL, scrape',
    {
      method: 'POST',
      path: '/compat/firecrawl/v2/scrape',
      headers: bearer,
      body: { url: page, onlyMainContent: true, waitFor: 0, timeout: 30_000 },
      reads: read,
    },
  ],
  [
    'Dify',
    'Firecrawl base URL, search',
    {
      method: 'POST',
      path: '/compat/firecrawl/v2/search',
      headers: bearer,
      body: {
        query: 'solar',
        limit: 1,
        sources: ['web'],
        scrapeOptions: { formats: [{ type: 'markdown' }], onlyMainContent: true },
      },
      reads: web,
    },
  ],
  [
    'Flowise',
    'SearXNG, base URL and headers',
    {
      method: 'POST',
      path:
        '/compat/searxng/search?q=solar&numResults=10&pageNumber=1' +
        '&imageProxy=true&safesearch=0',
      headers: bearer,
      reads: { ...listed, answers: [], infoboxes: [], suggestions: [] },
    },
  ],
  [
    'Flowise',
    'FireCrawl API credential, scrape',
    {
      method: 'POST',
      path: '/compat/firecrawl/v1/scrape',
      headers: bearer,
      body: { url: page, formats: ['markdown'], onlyMainContent: true, integration: 'flowise' },
      reads: read,
    },
  ],
  [
    'Flowise',
    'FireCrawl API credential, search',
    {
      method: 'POST',
      path: '/compat/firecrawl/v1/search',
      headers: bearer,
      body: { query: 'solar', limit: 1, lang: 'en', country: 'us', integration: 'flowise' },
      reads: {
        success: true,
        data: [{ description: expect.any(String), url: expect.any(String) }],
      },
    },
  ],
];

test.each(requests)('%s is served: %s', async (_application, _setting, sent) => {
  const { url, key } = gateway();
  const withKey = (text: string) => text.replace('{key}', key);
  const headers = Object.entries(sent.headers ?? {}).map(([name, value]) => [name, withKey(value)]);
  const answer = await fetch(url + withKey(sent.path), {
    method: sent.method,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(sent.body ? { body: JSON.stringify(sent.body) } : {}),
  });
  expect([answer.status, await answer.json()]).toMatchObject([200, sent.reads]);
});
