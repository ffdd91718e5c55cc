// Blank, malformed or excessive input from callers and vendors is refused or left out.
import { test } from 'bun:test';
import { askExtract, askSearch } from '../asking.ts';
import { sharedGateway, startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { findUnrefused } from '../refusals.ts';
import { ErrorAnswer, InvalidRequest } from '../shapes.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway();
const query = 'membranes';

test('a query or a keyterm of white space gives a 400', async () => {
  const blank = [' ', '\t\n', '\u3000\u00a0'];
  const queries = blank.map((text) => ['query', { query: text }] as const);
  await proves('requests.blank', async () =>
    expect(await findUnrefused(gateway(), '/v1/search', {}, queries)).toEqual([]),
  );
  const page = { urls: ['https://example.org/'] };
  await proves('requests.blank', async () =>
    expect(await findUnrefused(gateway(), '/v1/extract', page, queries)).toEqual([]),
  );
  const terms = blank.map((text) => ['keyterms.1', { keyterms: ['a', text] }] as const);
  const audio = { audio_url: 'https://example.org/a.mp3' };
  await proves('requests.blank', async () =>
    expect(await findUnrefused(gateway(), '/v1/transcriptions', audio, terms)).toEqual([]),
  );
});

test('bytes that are not UTF-8 give a 400', async () => {
  const { url, key } = gateway();
  const bytes = new Uint8Array([...Buffer.from('{"query":"caf'), 0xe9, ...Buffer.from('"}')]);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const stream = () => new Blob([bytes]).stream();
  for (const path of ['/v1/search', '/v1/extract', '/v1/transcriptions']) {
    for (const body of [bytes, stream()]) {
      const answer = await fetch(url + path, { method: 'POST', headers, body });
      await proves('requests.not-utf8', async () => {
        expect([path, answer.status]).toEqual([path, 400]);
        const { type, message } = ErrorAnswer.parse(await answer.json()).error;
        expect([type, message]).toEqual(['invalid_request', expect.stringContaining('UTF-8')]);
      });
    }
  }
});

test('at most 50 faults are listed, their paths are cut, and the rest is counted', async () => {
  const fields = (count: number, name: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]));
  const bodies = [
    { query, ...fields(70_000, (index) => `f${index}`) },
    { query, ...fields(9, (index) => `${index}${'k'.repeat(100_000)}`) },
    { query, provider_options: { engine_a: { a: unsafe(40_000) } } },
    { query, exclude_domains: Array<number>(400_000).fill(0) },
    {
      query,
      provider: 'fusion',
      provider_options: { fusion: { providers: Array<string>(60_000).fill('engine_a') } },
    },
  ];
  for (const body of bodies) {
    const answer = await gateway().post('/v1/search', body);
    proves('requests.issues.bounded', () => {
      expect(answer.status).toBe(400);
      expect(answer.text.length).toBeLessThan(64 * 1024);
      const { issues } = InvalidRequest.parse(answer.body).error.detail;
      expect(issues.length).toBeLessThanOrEqual(51);
      expect(issues.filter(({ path }) => path.length > 201)).toEqual([]);
    });
  }
  const { body } = await gateway().post('/v1/search', bodies[0]);
  const last = InvalidRequest.parse(body).error.detail.issues.at(-1);
  proves('requests.issues.bounded', () => expect(last?.message).toContain('69950 more errors'));
});

function unsafe(count: number): unknown {
  return JSON.parse(`[${Array<string>(count).fill('{"__proto__":1}').join(',')}]`) as unknown;
}

test('a URL that parsers read differently gives a 400', async () => {
  const ambiguousUrls = [
    'https://a.example\\@127.0.0.1/',
    'https://a.example\\b',
    'https://a.example/\tb',
    'https://a.example/a b',
    'https://a.exa\nmple/',
    ' https://a.example/',
    'https://a.example/\u0000',
  ];
  const audio = ambiguousUrls.map((audioUrl) => ['audio_url', { audio_url: audioUrl }] as const);
  await proves('requests.audio-url.as-checked', async () =>
    expect(await findUnrefused(gateway(), '/v1/transcriptions', {}, audio)).toEqual([]),
  );
  const pages = ambiguousUrls.map((url) => ['urls.0', { urls: [url] }] as const);
  await proves('requests.urls.as-checked', async () =>
    expect(await findUnrefused(gateway(), '/v1/extract', {}, pages)).toEqual([]),
  );
  await using upstream = startUpstream(({ body }) => contentsOf(body));
  await using gatewayAtUpstream = await startGateway({ env: upstream.env });
  const written = ['https://MÜNCHEN.example', 'https://a.example/x/../é'];
  const { results } = await askExtract(gatewayAtUpstream, { urls: written });
  expect(results.map(({ url }) => url)).toEqual(written);
  const sent = ['https://xn--mnchen-3ya.example/', 'https://a.example/%C3%A9'];
  proves('requests.urls.as-checked', () =>
    expect(upstream.received[0]?.body).toMatchObject({ urls: sent }),
  );
});

test('a URL too long for the provider fails alone', async () => {
  await using upstream = startUpstream(({ body }) => contentsOf(body));
  await using gatewayAtUpstream = await startGateway({ env: upstream.env });
  const long = `https://a.example/${'x'.repeat(2100)}`;
  const short = 'https://a.example/short';
  const { results, failed } = await askExtract(gatewayAtUpstream, { urls: [long, short] });
  proves('requests.urls.too-long', () => {
    expect(results.map(({ url }) => url)).toEqual([short]);
    expect(failed).toEqual([{ url: long, error: expect.stringContaining('longer than 2048') }]);
  });
  expect(upstream.received.map(({ body }) => body)).toEqual([
    expect.objectContaining({ urls: [short] }),
  ]);
  const none = await askExtract(gatewayAtUpstream, { urls: [long] });
  proves('requests.urls.too-long', () =>
    expect([none.failed.length, none.usage.cost_usd, upstream.received.length]).toEqual([1, 0, 1]),
  );
});

function contentsOf(body: unknown): Response {
  const { urls } = body as { urls: string[] };
  return Response.json({
    results: urls.map((url) => ({ id: url, url, text: 'Text.' })),
    statuses: urls.map((id) => ({ id, status: 'success' })),
    costDollars: { total: 0.001 * urls.length },
  });
}

test('an unreadable item is left out and counted, in a search and in an extraction', async () => {
  const good = (url: string) => ({ id: url, url, title: 'T', highlights: ['a'], text: 'Text.' });
  const unreadable: unknown[] = [
    {},
    null,
    5,
    { ...good('x'), url: '' },
    { ...good('x'), title: {} },
  ];
  const kept = [good('https://a.example/1'), good('https://a.example/2')];
  const mixed = [unreadable[0], kept[0], ...unreadable.slice(1), kept[1]] as object[];
  await using upstream = startUpstream(() => exaAnswer(mixed));
  await using gatewayAtUpstream = await startGateway({ env: upstream.env });
  const found = await askSearch(gatewayAtUpstream, { query });
  proves('results.odd-item', () => {
    expect(found.results.map(({ url }) => url)).toEqual(kept.map(({ url }) => url));
    expect(found.results.map(({ raw }) => raw)).toEqual(kept);
    expect(found.warnings).toEqual([
      {
        code: 'results_post_filtered',
        message: expect.stringContaining('5 of 7 items'),
      },
    ]);
  });
  const urls = kept.map(({ url }) => url);
  const read = await askExtract(gatewayAtUpstream, { urls });
  proves('results.odd-item', () => {
    expect(read.results.map(({ raw }) => raw)).toEqual(kept);
    expect(read.warnings.map(({ code }) => code)).toEqual(['results_post_filtered']);
  });
});

test('an answer that is unreadable as a whole gives a 502, however deep it is nested', async () => {
  const depth = 100_000;
  const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const answers = [deep, `{"results":${deep}}`, `{"results":[{}]}`, `{"error":${deep}}`, '{'];
  let text = '';
  let status = 200;
  const head = { 'content-type': 'application/json' };
  await using upstream = startUpstream(() => new Response(text, { status, headers: head }));
  await using gatewayAtUpstream = await startGateway({ env: upstream.env });
  for (const answer of answers) {
    for (const code of [200, 400, 500]) {
      [text, status] = [answer, code];
      for (const [path, body] of asked) {
        const { status: got } = await gatewayAtUpstream.post(path, body);
        proves('results.unreadable', () =>
          expect([answer.slice(0, 20), code, path, got]).toEqual([
            answer.slice(0, 20),
            code,
            path,
            502,
          ]),
        );
      }
    }
  }
  expect(await isHealthy(gatewayAtUpstream)).toBe(true);
});

const asked: [path: string, body: object][] = [
  ['/v1/search', { query, provider: 'engine_a' }],
  ['/v1/extract', { urls: ['https://a.example/'], provider: 'engine_a' }],
];

async function isHealthy(gatewayAtUpstream: Gateway): Promise<boolean> {
  return (await gatewayAtUpstream.get('/healthz')).status === 200;
}

test('an ambiguous date is left out, and relative dates are read up to years', async () => {
  const dates = ['07/04/2026', '2017', '2 years ago', '25/12/2025', '2025-12-25'];
  await using upstream = startUpstream(() =>
    exaAnswer(
      dates.map((publishedDate, index) => ({ url: `https://a.example/${index}`, publishedDate })),
    ),
  );
  await using gatewayAtUpstream = await startGateway({ env: upstream.env });
  const { results } = await askSearch(gatewayAtUpstream, { query });
  const days = results.map(({ published_date }) => published_date);
  proves('results.date.two-readings', () =>
    expect(days).toEqual([
      undefined,
      undefined,
      expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      '2025-12-25',
      '2025-12-25',
    ]),
  );
});
