// The way out: every wait and every body has its limit, whatever the other side does.
import { afterAll, describe, expect, test } from 'bun:test';
import { send } from './http.ts';

const never = new Promise<Response>(() => undefined);
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 255,
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/silent') return never;
    if (pathname === '/stuck') return new Response(streamOf(['{"a":'], false));
    if (pathname === '/endless') return new Response(streamOf(['x'.repeat(600), 'x'.repeat(600)]));
    if (pathname === '/large') return new Response('x'.repeat(1200));
    return new Response('{}');
  },
});
afterAll(() => server.stop(true));

function streamOf(parts: readonly string[], ends = true): ReadableStream {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      if (ends) controller.close();
    },
  });
}

const ask = (path: string, more: object = {}) =>
  send({
    url: `${server.url.origin}${path}`,
    method: 'GET',
    headers: {},
    timeout_ms: 20_000,
    max_bytes: 1000,
    ...more,
  });

describe('time', () => {
  test('a provider that never answers is given up', async () => {
    expect(await ask('/silent', { timeout_ms: 30 })).toMatchObject({ failure: 'timed_out' });
  });
  test('a body that begins and does not go on is given up early', async () => {
    const sent = await ask('/stuck', { body_ms: 30 });
    expect(sent).toMatchObject({ failure: 'timed_out', message: 'no answer within 30 ms' });
  });
  test('a caller who goes away ends the call', async () => {
    const caller = new AbortController();
    const sent = ask('/silent', { signal: caller.signal });
    caller.abort();
    expect(await sent).toMatchObject({ failure: 'abandoned' });
  });
  test('a caller who has already gone is not called for', async () => {
    expect(await ask('/', { signal: AbortSignal.abort() })).toMatchObject({ failure: 'abandoned' });
  });
});

describe('size', () => {
  test('a body that says it is too large is not read', async () => {
    expect(await ask('/large')).toMatchObject({ failure: 'too_large' });
  });
  test('a body that says nothing is read no further than the limit', async () => {
    expect(await ask('/endless')).toMatchObject({ failure: 'too_large' });
  });
  test('a body within the limit is read whole', async () => {
    expect(await ask('/')).toMatchObject({ ok: true, status: 200, text: '{}' });
  });
});
