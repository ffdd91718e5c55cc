// The HTTP client: every wait and every body is limited, whatever the provider does.
import { afterAll, describe, expect, test } from 'bun:test';
import { type AddressInfo, createServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { waitFor } from '../../../e2e/wait-for.ts';
import { send } from './http-client.ts';

const never = new Promise<Response>(() => undefined);
const asked: Request[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 255,
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    asked.push(request);
    if (pathname === '/silent') return never;
    if (pathname === '/stuck') return new Response(streamOf(['{"a":'], false));
    if (pathname === '/endless')
      return new Response(streamOf(['x'.repeat(600), 'x'.repeat(600)], false));
    if (pathname === '/packed') return packed(new URL(request.url).searchParams);
    return new Response('{}');
  },
});
afterAll(() => server.stop(true));

const encodings = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const;

/** A body with a length of its own that unpacks to as many letters as the address says. */
function packed(query: URLSearchParams): Response {
  const encoding = query.get('encoding') as keyof typeof encodings;
  const body = encodings[encoding]('x'.repeat(Number(query.get('letters'))));
  return new Response(body, { headers: { 'content-encoding': encoding } });
}

function streamOf(parts: readonly string[], ends = true): ReadableStream {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      if (ends) controller.close();
    },
  });
}

/** Answers with this text, and leaves the connection open. */
async function serveText(text: string) {
  const one = createServer((socket) => void socket.once('data', () => socket.write(text)));
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  const { port } = one.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, [Symbol.dispose]: () => void one.close() };
}

const ask = (path: string, more: object = {}) =>
  send({
    url: `${server.url.origin}${path}`,
    method: 'GET',
    headers: {},
    timeout_ms: 20_000,
    maxBytes: 1000,
    ...more,
  });

test('a refusal without a date has the date of its arrival', async () => {
  using dateless = await serveText('HTTP/1.1 429 Slow\r\ncontent-length: 2\r\n\r\n{}');
  const before = Date.now();
  const answer = await ask('', dateless);
  const date = answer.ok ? (answer.headers.get('date') ?? '') : '';
  // A date has no milliseconds.
  expect(Date.parse(date)).toBeGreaterThanOrEqual(before - 1000);
});

describe('time', () => {
  test('a provider that never answers times out', async () => {
    expect(await ask('/silent', { timeout_ms: 30 })).toMatchObject({ failure: 'timed_out' });
  });
  test('a body that stalls times out early', async () => {
    const sent = await ask('/stuck', { bodyMs: 30 });
    expect(sent).toMatchObject({ failure: 'timed_out', message: 'no answer within 30 ms' });
  });
  test('a caller that disconnects ends the call', async () => {
    const caller = new AbortController();
    const before = asked.length;
    const sent = ask('/silent', { signal: caller.signal });
    await waitFor(() => asked.length > before, { what: 'the call arrives' });
    caller.abort();
    expect(await sent).toMatchObject({ failure: 'abandoned' });
    await waitFor(() => asked.at(-1)?.signal.aborted, { what: 'the connection is closed' });
  });
  test('no call is made for a caller that has disconnected', async () => {
    const before = asked.length;
    expect(await ask('/', { signal: AbortSignal.abort() })).toMatchObject({ failure: 'abandoned' });
    expect(await ask('/')).toMatchObject({ ok: true });
    expect(asked).toHaveLength(before + 1);
  });
});

describe('size', () => {
  test('a body with too large a Content-Length is not read', async () => {
    // It never comes.
    using large = await serveText('HTTP/1.1 200 OK\r\ncontent-length: 1200\r\n\r\n');
    expect(await ask('', large)).toMatchObject({ failure: 'too_large' });
  });
  test('a body without a length is read no further than the limit', async () => {
    expect(await ask('/endless')).toMatchObject({ failure: 'too_large' });
  });
  const manners = Object.keys(encodings).flatMap((encoding) => [
    { encoding, inPieces: false },
    { encoding, inPieces: true },
  ]);
  test.each(manners)(
    'a compressed body is counted after decompression: %o',
    async ({ encoding, inPieces }) => {
      const asked = (letters: number) =>
        ask(`/packed?encoding=${encoding}&letters=${letters}`, { inPieces });
      const sent = await asked(1000);
      const text = sent.ok ? (sent.pieces?.join('') ?? sent.text) : sent.failure;
      expect(text).toBe('x'.repeat(1000));
      expect(await asked(1001)).toMatchObject({ failure: 'too_large' });
    },
  );
  test('a body within the limit is read whole', async () => {
    expect(await ask('/')).toMatchObject({ ok: true, status: 200, text: '{}' });
  });
});
