// The drop-in address of Firecrawl, tested with its own clients, and with the requests of
// applications that can be pointed at it.
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Firecrawl } from 'firecrawl';
import { sharedGateway } from '../harness.ts';
import { testWhere } from '../leave-out.ts';
import { keepCompiled, preparePython } from '../python/environment.ts';
import { runToEnd } from '../run-to-end.ts';

const gateway = sharedGateway();
const page = 'https://gridlines.example/storage/solar-storage-guide';
const missing = 'https://no.example/';
const address = (at = gateway()) => `${at.url}/compat/firecrawl`;
const client = (at = gateway(), apiKey = at.key) =>
  new Firecrawl({ apiKey, apiUrl: address(at), maxRetries: 1 });
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'served',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const warningsIn = (headers: Headers) =>
  (JSON.parse(headers.get('x-trivium-warnings') ?? '') as { param?: string }[]).map(
    ({ param }) => param,
  );

describe('its client of version 2', () => {
  test('searches the web and the news', async () => {
    const { web } = await client().search('solar energy storage', { limit: 3 });
    expect(web).toHaveLength(3);
    expect(web?.[0]).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    const { news, web: none } = await client().search('battery', { sources: ['news'] });
    expect([news?.length, none]).toEqual([expect.any(Number), undefined]);
  });

  test('scrapes a page, and shows why another cannot be read', async () => {
    const { markdown, links, metadata } = await client().scrape(page, {
      formats: ['markdown', 'links'],
    });
    expect(markdown).toContain('Solar');
    expect(Array.isArray(links)).toBe(true);
    expect(metadata).toMatchObject({ sourceURL: page, statusCode: 200 });
    expect(await messageOf(client().scrape(missing))).not.toMatch(/served|Request failed/);
  });

  test('scrapes a batch and reads its failures', async () => {
    const job = await client().batchScrape([page, missing], { pollInterval: 1 });
    expect(job).toMatchObject({ status: 'completed', total: 2, completed: 1 });
    expect(job.data[0]?.markdown).toContain('Solar');
    const { errors } = await client().getBatchScrapeErrors(job.id);
    expect(errors).toMatchObject([{ url: missing, error: expect.any(String) }]);
  });

  test('learns that crawl and map are not served, and cannot cancel a batch', async () => {
    expect(await messageOf(client().map(page))).toContain('does not offer map');
    expect(await messageOf(client().startCrawl(page))).toContain('does not offer crawl');
    const crawl = await gateway().post('/compat/firecrawl/v2/crawl', { url: page });
    expect([crawl.status, crawl.body]).toMatchObject([
      501,
      { success: false, error: expect.stringContaining('does not offer crawl') },
    ]);
    const { id } = await client().startBatchScrape([page]);
    expect(await messageOf(client().cancelBatchScrape(id))).toContain('cannot be cancelled');
  });

  test('reads the credits of the account', async () => {
    expect((await client().getCreditUsage()).remainingCredits).toBeGreaterThan(0);
  });
});

test('its client of version 1 searches, scrapes, and reads a batch', async () => {
  const { v1 } = client();
  expect(await v1.search('solar energy storage', { limit: 2 })).toMatchObject({
    success: true,
    data: [{ url: expect.any(String) }, { url: expect.any(String) }],
  });
  expect(await v1.scrapeUrl(page, { formats: ['markdown'] })).toMatchObject({
    success: true,
    markdown: expect.stringContaining('Solar'),
  });
  expect(await v1.batchScrapeUrls([page], { formats: ['markdown'] }, 1)).toMatchObject({
    status: 'completed',
    data: [{ markdown: expect.stringContaining('Solar') }],
  });
});

describe('the request of', () => {
  const post = (path: string, body: object) => gateway().post(`/compat/firecrawl${path}`, body);

  test('a program whose base URL has no version is served as one of version 2', async () => {
    const found = await post('/search', { query: 'solar', limit: 2 });
    expect(found.body).toMatchObject({ data: { web: [{ url: expect.any(String) }, {}] } });
    const read = await post('/scrape', { url: page });
    expect(read.body).toMatchObject({ data: { markdown: expect.any(String) } });
    const batch = await post('/batch/scrape', { urls: [page] });
    const { id } = batch.body as { id: string };
    const status = await gateway().get(`/compat/firecrawl/batch/scrape/${id}`);
    expect(status.body).toMatchObject({ status: 'completed', data: [{}] });
    expect((await gateway().get('/compat/firecrawl/team/credit-usage')).status).toBe(200);
    expect((await post('/crawl', { url: page })).status).toBe(501);
  });
});

describe('served by Firecrawl itself', () => {
  const named = { 'x-trivium-provider': 'engine_f' };
  const post = (path: string, body: object, headers = {}) =>
    gateway().post(`/compat/firecrawl${path}`, body, { ...named, ...headers });

  test('its own options are passed on, and its own fields returned', async () => {
    const strict = { 'x-trivium-strict': 'true' };
    const asked = { url: page, formats: ['links'], maxAge: 1000, timeout: 20_000 };
    const { body, status, headers } = await post('/v2/scrape', asked, strict);
    expect([status, warningsIn(headers)]).toEqual([200, []]);
    expect(body).toMatchObject({ data: { links: expect.any(Array), metadata: {} } });
  });

  test('a search also reads the pages that it finds', async () => {
    const asked = { query: 'solar', limit: 1, scrapeOptions: { formats: ['markdown'] } };
    const { body } = await post('/v2/search', asked);
    expect(body).toMatchObject({ data: { web: [{ markdown: expect.any(String) }] } });
  });

  test('no option changes which page is read', async () => {
    const { body } = await post('/v2/batch/scrape', { urls: [page], url: missing });
    const { id } = body as { id: string };
    const { body: status } = await gateway().get(`/compat/firecrawl/v2/batch/scrape/${id}`);
    expect(status).toMatchObject({ data: [{ metadata: { sourceURL: page } }] });
  });
});

describe('a stored batch', () => {
  const path = '/compat/firecrawl/v2/batch/scrape';

  test('is read only with the API key that created it', async () => {
    const { id } = await client().startBatchScrape([page]);
    expect((await gateway().get(`${path}/${id}`)).status).toBe(200);
    expect((await gateway().get(`${path}/${id}`, { authorization: null })).status).toBe(401);
    for (const wrong of ['batch_0', '__proto__', `${id}0`, 'constructor', '%00', '../..']) {
      const { status } = await gateway().get(`${path}/${wrong}`);
      expect([wrong, status >= 400 && status < 500]).toEqual([wrong, true]);
    }
  });

  test('is not confused with another answer under the same idempotency key', async () => {
    const id = `batch_${'0'.repeat(32)}`;
    const keyed = { 'idempotency-key': `firecrawl:${id}` };
    expect((await gateway().post('/v1/search', { query: 'solar' }, keyed)).status).toBe(200);
    const { status, body } = await gateway().get(`${path}/${id}`);
    expect([status, body]).toMatchObject([404, { success: false, error: expect.any(String) }]);
  });

  test('has no faulty address unless the client allows it', async () => {
    const urls = [page, 'no address'];
    const { status } = await gateway().post(path, { urls, ignoreInvalidURLs: false });
    expect(status).toBe(400);
    expect((await gateway().post(path.replace('v2', 'v1'), { urls })).status).toBe(400);
    const many = Array.from({ length: 100_000 }, (_, index) => (index % 2 ? 'x' : 'https://a.io'));
    expect((await gateway().post(path, { urls: many })).status).toBe(400);
    expect((await gateway().post(path, { urls: [] })).status).toBe(400);
    expect((await gateway().post(path, { urls: [page], formats: 'x' })).status).toBe(400);
  });
});

// The first installation takes minutes, more than a test may, so it runs before the tests.
const python = await preparePython();
const program = 'missing' in python ? '' : python.program;

testWhere('missing' in python ? python.missing : undefined)(
  'its Python clients work with a changed address alone',
  async () => {
    const script = join(import.meta.dir, '../python/firecrawl_drop_in.py');
    const { out, err } = await runToEnd(
      [program, '-E', '-s', ...keepCompiled, script, address(), gateway().key],
      { env: { PATH: process.env['PATH'], NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' } },
    );
    const report = out.split('\n').findLast((line) => line.startsWith('{'));
    const faults = Object.entries(
      JSON.parse(report ?? `{"no report":${JSON.stringify(err)}}`) as object,
    );
    expect(faults.filter(([, fault]) => fault !== null)).toEqual([]);
    expect(faults.length).toBeGreaterThan(7);
  },
);
