// The documentation as the gateway serves it: complete pages, safe headers, no foreign resources.
import { test } from 'bun:test';
import { verifyHtml } from './verify-html.ts';
import { sharedGateway } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway();

test('the overview lists every page and needs no key', async () => {
  const { status, headers, text } = await gateway().get('/docs', { authorization: null });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).toContain('href="/docs/quickstart"');
  expect(text).toContain('aria-current="page"');
});

test('every page of the overview is well-formed and loads no foreign resource', async () => {
  for (const address of await addressesIn('/docs')) {
    const { status, headers, text } = await gateway().get(address);
    expect([address, status]).toEqual([address, 200]);
    if (headers.get('content-type') !== 'text/html; charset=utf-8') continue;
    expect([address, ...verifyHtml(text)]).toEqual([address]);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    // The policy allows neither code nor style inside a page.
    expect(text.replace('<script src="/docs/script.js"></script>', '')).not.toMatch(
      /<script|<style|\sstyle="|\son\w+="/,
    );
  }
});

test('previous and next lead through every page once, in the order of the navigation', async () => {
  const { text: overview } = await gateway().get('/docs');
  const [, side = ''] = /<nav class="side"[^]*?>([^]*?)<\/nav>/.exec(overview) ?? [];
  const order = [...side.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
  const walked: string[] = [];
  for (let at: string | undefined = '/docs'; at !== undefined && walked.length < 100;) {
    walked.push(at);
    const { text } = await gateway().get(at);
    at = /class="next" href="([^"]+)"/.exec(text)?.[1];
  }
  expect(walked).toEqual(order);
  expect(order.length).toBeGreaterThan(20);
});

test('/llms.txt lists every page as Markdown, without the marks of the tests', async () => {
  const { headers, text: list } = await gateway().get('/llms.txt', { authorization: null });
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(list).toStartWith('# Trivium\n\n> ');
  const addresses = [...list.matchAll(/\]\((\/docs\/[^)]+\.md)\): \S/g)].map(([, to = '']) => to);
  const { text: overview } = await gateway().get('/docs');
  const pages = new Set(overview.match(/href="\/docs\/[a-z-]+"/g));
  pages.delete('href="/docs/api"');
  expect(addresses.length).toBe(pages.size + 1);
  for (const address of addresses) {
    const { status, headers: page, text } = await gateway().get(address);
    expect([address, status, page.get('content-type')]).toEqual([
      address,
      200,
      'text/markdown; charset=utf-8',
    ]);
    expect(text).toStartWith('# ');
    expect(text).not.toMatch(/^```\w+ /m);
  }
});

test('the search index has every page, and each entry leads to a heading', async () => {
  const { body } = await gateway().get('/docs/search.json');
  const entries = body as { page: string; heading: string; href: string; text: string }[];
  const pages = Map.groupBy(entries, ({ href }) => href.replace(/#.*/, ''));
  expect([...pages.keys()].length).toBeGreaterThan(20);
  for (const [address, sections] of pages) {
    const { text } = await gateway().get(address);
    const lost = sections.filter(({ href }) => {
      const [, id] = href.split('#');
      return id !== undefined && !text.includes(`id="${id}"`);
    });
    expect(lost).toEqual([]);
  }
  expect(
    entries.filter(
      ({ heading, text }) => heading === '' || /<\/?(?:span|code|td|p|a|pre)\b/.test(text),
    ),
  ).toEqual([]);
});

test('the reference, linked from the overview, shows all of the OpenAPI document', async () => {
  const { body } = await gateway().get('/openapi.json');
  const { paths, components } = body as {
    paths: Record<string, Record<string, { operationId: string }>>;
    components: { schemas: Record<string, object> };
  };
  await proves('surface.docs', async () => {
    expect((await gateway().get('/docs')).text).toContain('href="/docs/api"');
    const { text } = await gateway().get('/docs/api');
    const operations = Object.values(paths).flatMap((verbs) => Object.values(verbs));
    for (const { operationId } of operations) expect(text).toContain(`id="${operationId}"`);
    for (const name of Object.keys(components.schemas)) expect(text).toContain(`id="${name}"`);
    // Fields inside objects and lists are listed too.
    for (const path of ['content.snippets.max_per_result', 'people[].email', 'error.type']) {
      expect(text).toContain(`<code>${path}</code>`);
    }
  });
});

test.each(['nowhere', 'nowhere.md', 'api.md', '__proto__', 'constructor.md', 'images/nothing.svg'])(
  '/docs/%s gives a 404 that lists the pages',
  async (name) => {
    const { status, text } = await gateway().get(`/docs/${name}`);
    expect(status).toBe(404);
    expect(text).toContain(name.startsWith('images') ? 'fusion.svg' : '/docs/quickstart');
  },
);

async function addressesIn(page: string): Promise<Set<string>> {
  const { text } = await gateway().get(page);
  const found = [...text.matchAll(/(?:href|src)="(\/docs[^"#]*)"/g)].map(([, to = '']) => to);
  expect(found.length).toBeGreaterThan(15);
  return new Set([...found, '/docs/search.json', '/docs/images/fusion.svg']);
}
