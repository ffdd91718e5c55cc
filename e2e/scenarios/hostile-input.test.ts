// Blank, malformed or excessive input from callers and vendors is refused or left out.
import { afterAll, test } from 'bun:test';
import { askExtract, askSearch } from '../asking.ts';
import { sharedGateway } from '../harness.ts';
import { ErrorAnswer, InvalidRequest } from '../shapes.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import type { Received } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway();
let answer: (request: Received) => Response;
const upstream = startUpstream((request) => answer(request));
const atUpstream = sharedGateway({ env: upstream.env });
afterAll(() => upstream[Symbol.asyncDispose]());

/** What the vendor answers from now on. */
function answerWith(given: typeof answer): void {
  answer = given;
  upstream.received.length = 0;
}

const query = 'membranes';

/** The path of the first fault of a request that is refused. */
async function refused(path: string, body: object): Promise<string | undefined> {
  const answer = await gateway().post(path, body);
  expect(answer.status).toBe(400);
  return InvalidRequest.parse(answer.body).error.detail.issues[0]?.path;
}

test('no option of an engine may name other pages than the request does', async () => {
  const engines = [...'abcefghij'].map((letter) => `engine_${letter}`);
  const names = ['urls', 'url', 'ids', 'URLs'];
  const places = [
    ...engines.flatMap((engine) => names.map((name) => [engine, name] as const)),
    ['engine_i', 'html'] as const,
    ['engine_i', 'pdf'] as const,
  ];
  const urls = ['https://example.org/page'];
  for (const [provider, name] of places) {
    const options = { [provider]: { [name]: ['https://example.org/other'] } };
    await proves('requests.options.targets-refused', async () =>
      expect(await refused('/v1/extract', { urls, provider, provider_options: options })).toBe(
        `provider_options.${provider}.${name}`,
      ),
    );
  }
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

test('a URL is sent as a browser spells it', async () => {
  answerWith(({ body }) => contentsOf(body));
  const written = ['https://MÜNCHEN.example', 'https://a.example/x/../é'];
  const { results } = await askExtract(atUpstream(), { urls: written });
  expect(results.map(({ url }) => url)).toEqual(written);
  const sent = ['https://xn--mnchen-3ya.example/', 'https://a.example/%C3%A9'];
  proves('requests.urls.as-checked', () =>
    expect(upstream.received[0]?.body).toMatchObject({ urls: sent }),
  );
});

test('a URL too long for the provider fails alone', async () => {
  answerWith(({ body }) => contentsOf(body));
  const long = `https://a.example/${'x'.repeat(2100)}`;
  const short = 'https://a.example/short';
  const { results, failed } = await askExtract(atUpstream(), { urls: [long, short] });
  proves('requests.urls.too-long', () => {
    expect(results.map(({ url }) => url)).toEqual([short]);
    expect(failed).toEqual([{ url: long, error: expect.stringContaining('longer than 2048') }]);
  });
  expect(upstream.received.map(({ body }) => body)).toEqual([
    expect.objectContaining({ urls: [short] }),
  ]);
  const none = await askExtract(atUpstream(), { urls: [long] });
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
  answerWith(() => exaAnswer(mixed));
  const found = await askSearch(atUpstream(), { query });
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
  const read = await askExtract(atUpstream(), { urls });
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
  answerWith(() => new Response(text, { status, headers: head }));
  for (const answer of answers) {
    for (const code of [200, 400, 500]) {
      [text, status] = [answer, code];
      for (const [path, body] of asked) {
        const { status: got } = await atUpstream().post(path, body);
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
  expect((await atUpstream().get('/healthz')).status).toBe(200);
});

const asked: [path: string, body: object][] = [
  ['/v1/search', { query, provider: 'engine_a' }],
  ['/v1/extract', { urls: ['https://a.example/'], provider: 'engine_a' }],
];
