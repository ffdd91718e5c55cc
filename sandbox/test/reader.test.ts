// The real reader against a local site: how it converts pages, and what it refuses.
import { afterAll, describe, expect, test } from 'bun:test';
import { createReader } from '../src/reader/reader.ts';
import type { ReadPage } from '../src/reader/reader.ts';
import { ScrapeFailure } from '../src/reader/scrape-failure.ts';
import { startSite } from './reader-site.ts';

const site = startSite();
afterAll(() => site[Symbol.asyncDispose]());
const reader = createReader(site.policy, 'https://gateway.test');
const read = (path: string, timeoutMs?: number) => reader(site.url + path, timeoutMs);

async function failure(reading: Promise<ReadPage>): Promise<string> {
  const outcome: unknown = await reading.catch((error: unknown) => error);
  if (!(outcome instanceof ScrapeFailure))
    throw new Error(`No failure: ${JSON.stringify(outcome)}`);
  return outcome.code;
}

describe('a page', () => {
  test('becomes markdown, without navigation and similar elements', async () => {
    const { article, status, url } = await read('/water/membranes');
    expect({ status, url }).toEqual({ status: 200, url: `${site.url}/water/membranes` });
    expect(article.markdown).toBe(
      [
        'The pilot plant cut energy use by a fifth, engineers said, with parts that any ' +
          'workshop can make. That matters, because energy is most of what small ' +
          'desalination plants pay for.',
        'Costs fell to 0.80 dollars a cubic metre, says [the report]' +
          `(${site.url}/water/report.html#page-3), which three laboratories read before ` +
          `it came out. ![The plant](${site.url}/water/img/plant.jpg)`,
        '## Figures',
        '| Year | Cost |\n| --- | --- |\n| 2025 | 0.80 |',
        '```python\ndef flux(p):\n    return p * 2\n```',
      ].join('\n\n'),
    );
  });

  test('has its title, author, date, language, description, links and images', async () => {
    const { article } = await read('/water/membranes');
    expect(article).toMatchObject({
      title: 'Cheap membranes',
      author: 'R. Okafor',
      published: '2026-03-14T00:30:00+02:00',
      language: 'en-GB',
      description: 'A pilot plant saves energy.',
      links: [`${site.url}/`, `${site.url}/news`, `${site.url}/water/report.html#page-3`],
      images: [`${site.url}/water/img/plant.jpg`],
    });
  });

  test('without an article is converted as a whole, and an empty one is empty', async () => {
    const { article } = await read('/short');
    expect(article).toMatchObject({ title: 'Short', markdown: 'Little text.' });
    expect((await read('/shell')).article.markdown).toBe('');
    expect((await read('/empty')).article.markdown).toBe('');
  });

  test('of plain text or markdown is unchanged', async () => {
    const notes = await read('/notes.txt');
    expect(notes.article.markdown).toBe('Plain notes.\n\nSecond paragraph.');
    const { title, markdown } = (await read('/notes.md')).article;
    expect({ title, markdown }).toEqual({ title: 'Notes', markdown: 'Some *markdown*.' });
  });

  test('is decoded from the character set it declares, or from the likely one', async () => {
    expect((await read('/cyrillic')).article.markdown).toBe('Вода');
    expect((await read('/latin')).article.markdown).toBe('café');
  });

  test('may be compressed in the usual ways', async () => {
    for (const path of ['/gzip', '/deflate', '/br']) {
      expect([path, (await read(path)).article.title]).toEqual([path, 'Cheap membranes']);
    }
  });

  test('that the site does not have keeps its status', async () => {
    expect(await read('/nowhere')).toMatchObject({ status: 404, article: { markdown: '' } });
  });
});

describe('a redirect', () => {
  test('is followed, to another host too, and the final URL is reported', async () => {
    expect((await read('/moved')).url).toBe(`${site.url}/water/membranes`);
    const elsewhere = await read('/moved-elsewhere');
    expect(elsewhere.url).toBe(`http://other.test:${site.port}/br`);
    expect(elsewhere.article.title).toBe('Cheap membranes');
  });

  test('to a private network, another scheme or an invalid URL is refused', async () => {
    for (const path of ['/moved-inside', '/moved-to-file', '/moved-to-name', '/loop']) {
      expect([path, await failure(read(path))]).toEqual([path, 'SCRAPE_SITE_ERROR']);
    }
  });

  test('is followed five times at most', async () => {
    site.visits.length = 0;
    expect(await failure(read('/loop'))).toBe('SCRAPE_SITE_ERROR');
    expect(site.visits).toHaveLength(6);
  });
});

describe('limits', () => {
  test('apply to size, compressed or not', async () => {
    for (const path of ['/large', '/large-in-pieces', '/bomb']) {
      expect([path, await failure(read(path))]).toEqual([path, 'SCRAPE_UNSUPPORTED_FILE_ERROR']);
    }
  });

  test('apply to content that is not a text page', async () => {
    for (const path of ['/data.json', '/paper.pdf', '/untyped', '/twice-coded']) {
      expect([path, await failure(read(path))]).toEqual([path, 'SCRAPE_UNSUPPORTED_FILE_ERROR']);
    }
    expect(await failure(read('/not-gzip'))).toBe('SCRAPE_SITE_ERROR');
  });

  test('apply to time, before and during the response', async () => {
    for (const path of ['/never', '/stalls']) {
      expect([path, await failure(read(path, 300))]).toEqual([path, 'SCRAPE_TIMEOUT']);
    }
  });

  test('apply to a name that never resolves', async () => {
    const policy = { ...site.policy, resolve: () => new Promise<string[]>(() => undefined) };
    const reading = createReader(policy)('http://site.test/', 200);
    expect(await failure(reading)).toBe('SCRAPE_TIMEOUT');
  });

  test('apply to markup that is slow to parse', async () => {
    const nested = `<table>`.repeat(30_000);
    const slow = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(nested, { headers: { 'content-type': 'text/html' } }),
    });
    const policy = { ...site.policy, allows: (address: string) => address === '127.0.0.1' };
    const reading = createReader(policy)(`http://slow.test:${slow.port}/`, 1000);
    expect(await failure(reading)).toBe('SCRAPE_TIMEOUT');
    await slow.stop(true);
    expect((await read('/water/membranes')).article.title).toBe('Cheap membranes');
  });
});

describe('a visit', () => {
  test('names the reader and its operator, and carries no cookie or credential', async () => {
    await read('/cookie');
    site.visits.length = 0;
    await read('/water/membranes');
    const [{ headers } = { headers: new Headers() }] = site.visits;
    expect(headers.get('user-agent')).toMatch(/^TriviumReader\/\S+ \(\+https:\/\/gateway\.test;/);
    expect(headers.get('host')).toBe(`site.test:${site.port}`);
    for (const name of ['cookie', 'authorization', 'referer']) expect(headers.get(name)).toBeNull();
  });

  test('goes to the checked address, even if the name resolves differently later', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const policy = { ...site.policy, resolve: () => Promise.resolve(answers.shift() ?? []) };
    const rebound = createReader(policy);
    const page = await rebound(`http://rebinding.test:${site.port}/water/membranes`);
    expect(page.article.title).toBe('Cheap membranes');
    expect(answers).toHaveLength(1);
    const moving = { ...policy, resolve: answersInTurn(['127.0.0.1'], ['10.0.0.1']) };
    const moved = createReader(moving)(`http://rebinding.test:${site.port}/moved`);
    expect(await failure(moved)).toBe('SCRAPE_SITE_ERROR');
  });

  test('reports that no site was found', async () => {
    const openPolicy = { ...site.policy, allows: () => true };
    expect(await failure(createReader(openPolicy)('http://site.test:1/'))).toBe(
      'SCRAPE_SITE_ERROR',
    );
    const unknown = createReader(site.policy)('http://nowhere.invalid/');
    expect(await failure(unknown)).toBe('SCRAPE_DNS_RESOLUTION_ERROR');
  });
});

function answersInTurn(...answers: string[][]): () => Promise<string[]> {
  return () => Promise.resolve(answers.shift() ?? []);
}
