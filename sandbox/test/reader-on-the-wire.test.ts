// The Firecrawl mount with the reader on: real pages for real URLs, in the vendor's format.
import { afterAll, describe, expect, test } from 'bun:test';
import { startSandbox } from '../src/index.ts';
import { startSite } from './reader-site.ts';

const site = startSite();
const sandbox = await startSandbox({ reader: site.policy });
const closed = await startSandbox({ reader: true });
afterAll(() =>
  Promise.all([site[Symbol.asyncDispose](), sandbox.stop(), closed.stop()]).then(() => undefined),
);

async function scrape(url: string, more: object = {}, at = sandbox.url) {
  const response = await fetch(`${at}/firecrawl/v2/scrape`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer fc-key' },
    body: JSON.stringify({ url, ...more }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('a real address', () => {
  test('returns the page and its metadata', async () => {
    const { status, body } = await scrape(`${site.url}/moved`, { formats: ['markdown', 'links'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      data: {
        markdown: expect.stringMatching(/^# Cheap membranes\n\nThe pilot plant/),
        links: expect.arrayContaining([`${site.url}/news`]),
        metadata: {
          title: 'Cheap membranes',
          author: 'R. Okafor',
          publishedTime: '2026-03-14T00:30:00+02:00',
          language: 'en-GB',
          description: 'A pilot plant saves energy.',
          sourceURL: `${site.url}/moved`,
          url: `${site.url}/water/membranes`,
          statusCode: 200,
          contentType: 'text/html; charset=utf-8',
        },
      },
    });
  });

  test('returns passages for a query, and the page as it was sent', async () => {
    const highlights = { type: 'highlights', query: 'what do small plants pay for' };
    const { body } = await scrape(`${site.url}/water/membranes`, {
      formats: [highlights, 'rawHtml'],
    });
    const { data } = body as { data: Record<string, string> };
    expect(data['highlights']).toContain(
      'energy is most of what small desalination plants pay for',
    );
    expect(data['rawHtml']).toContain('<nav>');
    expect(data).not.toContainKey('markdown');
  });

  test('that the site does not have keeps its status', async () => {
    const { body } = await scrape(`${site.url}/nowhere`);
    expect(body).toMatchObject({ success: true, data: { metadata: { statusCode: 404 } } });
  });

  test('that cannot be read fails with the codes of the vendor', async () => {
    expect(await scrape(`${site.url}/paper.pdf`)).toMatchObject({
      status: 500,
      body: { success: false, code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' },
    });
    expect(await scrape(`${site.url}/never`, { timeout: 1000 })).toMatchObject({
      status: 408,
      body: { success: false, code: 'SCRAPE_TIMEOUT' },
    });
  });

  test('of this machine is refused unless a policy allows it', async () => {
    site.visits.length = 0;
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']) {
      const { status, body } = await scrape(`http://${host}:${site.port}/`, {}, closed.url);
      expect([host, status, body['code']]).toEqual([host, 500, 'SCRAPE_SITE_ERROR']);
    }
    expect(site.visits).toEqual([]);
  });
});

test('pages of the corpus are served as before', async () => {
  const { body } = await scrape('https://pages.example/moved-twice');
  expect(body).toMatchObject({
    success: true,
    data: { metadata: { url: 'https://pages.example/new-home', statusCode: 200 } },
  });
  expect(await scrape('https://pages.example/slow')).toMatchObject({ status: 408 });
});
