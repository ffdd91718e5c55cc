// The sandbox accepts what the vendors' current clients send and refuses what their servers refuse.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startSandbox } from './index.ts';
import type { Sandbox } from './index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const keys = { 'x-api-key': 'any', 'xi-api-key': 'any', authorization: 'Token any' };
const post = (path: string, body: object) =>
  fetch(sandbox.url + path, {
    method: 'POST',
    headers: { ...keys, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const status = async (path: string, body: object) => (await post(path, body)).status;
const audio = 'https://recordings.example/silence.wav';

test('You.com uses JA for Japanese, and accepts an age of null', async () => {
  expect(await status('/you/v1/search', { query: 'battery', language: 'JA' })).toBe(200);
  expect(await status('/you/v1/search', { query: 'battery', language: 'JP' })).toBe(422);
  const urls = ['https://pages.example/new-home'];
  expect(await status('/you/v1/contents', { urls, formats: ['markdown'], max_age: null })).toBe(
    200,
  );
});

test('You.com refuses a range that ends before it begins', async () => {
  const range = (freshness: string) => status('/you/v1/search', { query: 'battery', freshness });
  expect(await range('2026-11-16to2026-11-16')).toBe(200);
  expect(await range('2026-11-17to2026-11-16')).toBe(422);
});

test('Valyu accepts image links, and only dotted hosts or datasets as sources', async () => {
  const search = (more: object) => status('/valyu/search', { query: 'battery', ...more });
  expect(await search({ include_image_links: true })).toBe(200);
  for (const source of ['example.org', 'example.org/path', 'valyu/valyu-arxiv', 'web']) {
    expect([source, await search({ included_sources: [source] })]).toEqual([source, 200]);
  }
  for (const source of ['gov', '.gov', 'münchen.example', '*.example.org', '']) {
    expect([source, await search({ excluded_sources: [source] })]).toEqual([source, 400]);
  }
});

test('ElevenLabs accepts "null" for a list, and terms of 50 characters', async () => {
  const convert = async (fields: Record<string, string>) => {
    const body = new FormData();
    const all = { model_id: 'scribe_v2', source_url: audio, ...fields };
    for (const [name, value] of Object.entries(all)) body.append(name, value);
    const init = { method: 'POST', headers: keys, body };
    return (await fetch(`${sandbox.url}/elevenlabs/v1/speech-to-text`, init)).status;
  };
  expect(await convert({ entity_detection: 'null', keyterms: 'x'.repeat(50) })).toBe(200);
  expect(await convert({ keyterms: 'x'.repeat(51) })).toBe(400);
  expect(await convert({ keyterms: 'a b c d e f' })).toBe(400);
});

test('AssemblyAI accepts only the languages of its list', async () => {
  const submit = (languageCode: string) =>
    status('/assemblyai/v2/transcript', { audio_url: audio, language_code: languageCode });
  expect([await submit('no'), await submit('tl'), await submit('en_uk')]).toEqual([200, 200, 200]);
  expect([await submit('nb'), await submit('fil'), await submit('eng')]).toEqual([400, 400, 400]);
});

test('Deepgram refuses a language that the model does not support, in plain text', async () => {
  const listen = (model: string, language: string) =>
    post(`/deepgram/v1/listen?model=${model}&language=${language}`, { url: audio });
  const refused = await listen('nova-3', 'en-ZA');
  expect(refused.status).toBe(400);
  expect(await refused.text()).toBe('No such model/language/tier combination found.');
  expect((await listen('nova-3', 'zh-HK')).status).toBe(200);
  expect((await listen('nova-3-medical', 'de')).status).toBe(400);
  expect((await listen('nova-2', 'en-GB')).status).toBe(200);
});

test('Exa accepts an objective, a user and coordinates', async () => {
  const search = (more: object) => status('/exa/search', { query: 'battery', ...more });
  expect(await search({ objective: 'Compare prices.', userIdentifier: 'u-1' })).toBe(200);
  expect(await search({ objective: 'x'.repeat(4097) })).toBe(400);
  const here = { latitude: 52.5, longitude: 13.4 };
  for (const userLocation of ['DE', { country: 'DE' }, here, { ...here, country: 'DE' }]) {
    expect([userLocation, await search({ userLocation })]).toEqual([userLocation, 200]);
  }
  const nowhere = [{}, { latitude: 52.5 }, { ...here, latitude: 91 }, { city: 'Berlin' }];
  for (const userLocation of nowhere) {
    expect([userLocation, await search({ userLocation })]).toEqual([userLocation, 400]);
  }
  const urls = ['https://pages.example/new-home'];
  expect(await status('/exa/contents', { urls, text: true, userIdentifier: 'u-1' })).toBe(200);
});

test('Exa warns about fields that no longer have an effect', async () => {
  const body = { query: 'battery', startCrawlDate: '2026-01-01', endCrawlDate: null };
  const answer = (await (await post('/exa/search', body)).json()) as { warnings?: unknown };
  expect(answer.warnings).toEqual([
    { code: 'IGNORED_FIELD', path: '/startCrawlDate', message: expect.any(String) },
  ]);
  const plain = await (await post('/exa/search', { query: 'battery' })).json();
  expect(plain).not.toContainKey('warnings');
});

test('Exa finds people only on LinkedIn', async () => {
  const search = (site: string) =>
    status('/exa/search', { query: 'engineer', category: 'people', includeDomains: [site] });
  for (const site of ['linkedin.com', 'uk.linkedin.com', '*.linkedin.com', 'linkedin.com/in']) {
    expect([site, await search(site)]).toEqual([site, 200]);
  }
  for (const site of ['example.org', 'notlinkedin.com', 'linkedin.com.example.org']) {
    expect([site, await search(site)]).toEqual([site, 400]);
  }
});

test('Exa chooses the size of highlights for callers who opt in to the preview', async () => {
  const contents = { highlights: { dynamic: true } };
  const ask = async (headers: Record<string, string>, more: object = {}) => {
    const body = JSON.stringify({ query: 'battery', contents, ...more });
    const all = { ...keys, 'content-type': 'application/json', ...headers };
    return (await fetch(`${sandbox.url}/exa/search`, { method: 'POST', headers: all, body }))
      .status;
  };
  const beta = { 'exa-beta': 'dynamic-highlights-2026-08-28' };
  expect([await ask({}), await ask(beta)]).toEqual([400, 200]);
  const both = { contents: { highlights: { dynamic: true, maxCharacters: 100 } } };
  expect(await ask(beta, both)).toBe(400);
});

test('a wildcard means the subdomains of a host, and not the host', async () => {
  const hosts = async (site: string) => {
    const body = { query: 'battery', numResults: 100, includeDomains: [site] };
    const answer = await (await post('/exa/search', body)).json();
    return (answer as { results: { url: string }[] }).results.map(
      ({ url }) => new URL(url).hostname,
    );
  };
  const whole = await hosts('gridlines.example');
  expect(whole).toContain('gridlines.example');
  expect(await hosts('*.gridlines.example')).toEqual(
    whole.filter((host) => host !== 'gridlines.example'),
  );
});

test('Tavily accepts an age in hours under its new and its old name', async () => {
  const search = async (more: object) => {
    const body = JSON.stringify({ query: 'battery', ...more });
    const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
    return (await fetch(`${sandbox.url}/tavily/search`, { method: 'POST', headers, body })).status;
  };
  const newest = { max_age_hours: 24, fetch_timeout: 5, cache_fallback: true, days: 3 };
  expect(await search({ ...newest, include_answer: 'advanced', exact_match: true })).toBe(200);
  expect(await search({ max_hours: 24 })).toBe(200);
});

test('Parallel refuses a domain with a port, a query or a fragment', async () => {
  const search = (site: string) => {
    const sourcePolicy = { include_domains: [site] };
    const body = {
      search_queries: ['battery'],
      advanced_settings: { source_policy: sourcePolicy },
    };
    return status('/parallel/v1/search', body);
  };
  for (const site of ['example.org', '.gov', '.co.uk', 'example.org/Docs']) {
    expect([site, await search(site)]).toEqual([site, 200]);
  }
  for (const site of ['example.org:8080', 'example.org/?q=1', 'example.org#top']) {
    expect([site, await search(site)]).toEqual([site, 422]);
  }
});

test('Serper refuses a query that is longer than Google accepts', async () => {
  expect(await status('/serper/search', { q: 'x'.repeat(2048) })).toBe(200);
  expect(await status('/serper/search', { q: 'x'.repeat(2049) })).toBe(400);
});

test('Firecrawl accepts dotted ASCII names as domains', async () => {
  const search = (site: string) =>
    status('/firecrawl/v2/search', { query: 'battery', includeDomains: [site] });
  for (const site of ['example.org', 'www.example.org', 'xn--mnchen-3ya.de', 'a.xn--p1ai']) {
    expect([site, await search(site)]).toEqual([site, 200]);
  }
  const refused = [
    'gov',
    '.gov',
    'münchen.de',
    '*.a.org',
    'a.org/x',
    'a_b.example.org',
    '10.0.0.1',
  ];
  for (const site of refused) expect([site, await search(site)]).toEqual([site, 400]);
});

test('Firecrawl accepts what its current clients send', async () => {
  const search = (more: object) => status('/firecrawl/v2/search', { query: 'battery', ...more });
  const web = { type: 'web', tbs: 'qdr:w', country: 'gb' };
  expect(await search({ sources: [web, { type: 'alexandria' }], country: 'de' })).toBe(200);
  expect(await search({ categories: ['gov'], domainTools: true, toolDetail: 'full' })).toBe(200);
  expect(await search({ categories: ['gov', 'pdf'] })).toBe(400);
  expect(await search({ threatProtection: { mode: 'normal' }, timeout: 300_000 })).toBe(200);
});

test('Firecrawl counts four more credits for model work and special handling', async () => {
  const credits = async (more: object) => {
    const url = 'https://pages.example/new-home';
    const answer = await post('/firecrawl/v2/scrape', { url, ...more });
    const { data } = (await answer.json()) as { data: { metadata: { creditsUsed: number } } };
    return data.metadata.creditsUsed;
  };
  const json = { type: 'json', prompt: 'Who wrote it?' };
  const question = { type: 'question', question: 'Who wrote it?' };
  expect(await credits({})).toBe(1);
  expect(await credits({ formats: ['markdown', { type: 'screenshot', fullPage: true }] })).toBe(1);
  expect(await credits({ formats: ['changeTracking', 'branding', 'product'] })).toBe(1);
  expect(await credits({ formats: ['markdown', json] })).toBe(5);
  expect(await credits({ formats: ['audio', 'video'] })).toBe(9);
  expect(await credits({ formats: [json, question], proxy: 'stealth' })).toBe(13);
  expect(await credits({ lockdown: true, redactPII: { mode: 'fast' } })).toBe(9);
});

test('Firecrawl gives the retry time in its message', async () => {
  const fault = { mount: '/firecrawl', fault: 'rate_limited', times: 1, retry_after: 7 };
  await post('/__sandbox/faults', fault);
  const answer = await post('/firecrawl/v2/search', { query: 'battery' });
  expect(answer.status).toBe(429);
  expect(await answer.json()).toMatchObject({ error: expect.stringMatching(/retry after 7s/) });
});

test('the age of news is given in days, weeks, months and years', async () => {
  const ages = async (path: string, body: object, read: (answer: never) => { date?: string }[]) =>
    read((await (await post(path, body)).json()) as never).map(({ date }) => date ?? '');
  const dates = [
    ...(await ages('/serper/news', { q: 'battery' }, ({ news }: { news: [] }) => news)),
    ...(await ages(
      '/firecrawl/v2/search',
      { query: 'battery', sources: ['news'], limit: 20 },
      ({ data }: { data: { news: [] } }) => data.news,
    )),
  ];
  for (const date of dates) expect(date).toMatch(/^\d+ (second|day|week|month|year)s? ago$/);
  const units = new Set(dates.map((date) => date.split(' ')[1]?.replace(/s$/, '')));
  expect(units.size).toBeGreaterThan(1);
});
