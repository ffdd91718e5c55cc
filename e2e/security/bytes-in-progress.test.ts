// Long answers, many at a time: the gateway keeps its memory within a budget. Answers to paid
// requests wait and are delivered; free ones are refused.
import { afterAll, expect, test } from 'bun:test';
import { makeAccount, operatorToken } from '../billing/small-account.ts';
import { sharedGatewayProcess } from '../harness.ts';
import { count, memoryLimit, mib, peakDuring } from '../memory.ts';
import { startUpstream } from '../upstream.ts';
import type { Received } from '../upstream.ts';

/** How long the text of a page is. */
let pageChars = 100;

function extraction({ body }: Received): Response {
  const { urls = [] } = body as { urls?: string[] };
  const text = 'word '.repeat(pageChars / 5);
  return Response.json({
    requestId: 'r',
    results: urls.map((url) => ({ id: url, url, title: 'A page', text })),
    statuses: urls.map((id) => ({ id, status: 'success' })),
    costDollars: { total: 0.001 },
  });
}

const upstream = startUpstream(extraction);
afterAll(() => upstream[Symbol.asyncDispose]());
const gateway = sharedGatewayProcess({
  env: { ...upstream.env, TRIVIUM_ADMIN_TOKEN: operatorToken },
});

const extract = (urls: readonly string[], headers: Record<string, string> = {}) =>
  gateway().post('/v1/extract', { urls, provider: 'engine_a' }, headers);

test('answers of a provider are read when there is room, and all of them are delivered', async () => {
  pageChars = 8 * mib;
  const { peak, value } = await peakDuring(gateway(), () =>
    Promise.all(
      Array.from({ length: 24 }, async (_, at) => {
        // Only read: a client that is busy with what it has read counts as stalled.
        const response = await fetch(`${gateway().url}/v1/extract`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${gateway().key}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ urls: [`https://long.example/${at}`], provider: 'engine_a' }),
        });
        const { length } = await response.bytes();
        return { status: response.status, isWhole: length > 2 * pageChars };
      }),
    ),
  );
  expect(count(value.map(({ status, isWhole }) => `${status} ${isWhole}`))).toEqual({
    '200 true': 24,
  });
  expect(peak).toBeLessThan(memoryLimit);
});

test('cached answers are refused above the share of their account, and others are served', async () => {
  pageChars = 700_000;
  const { headers: other } = await makeAccount(gateway(), 1);
  const urls = Array.from({ length: 20 }, (_, at) => `https://cached.example/${at}`);
  const cached = { 'x-trivium-cache': '3600' };
  expect((await extract(urls, cached)).status).toBe(200);
  const calls = upstream.received.length;
  const { peak, value } = await peakDuring(gateway(), async () => {
    const hits = Array.from({ length: 60 }, () => extract(urls, cached));
    pageChars = 100;
    const honest = await extract(['https://honest.example/'], other);
    return { honest, hits: await Promise.all(hits) };
  });
  expect(value.honest.status).toBe(200);
  const {
    200: served = 0,
    429: refused = 0,
    ...rest
  } = count(value.hits.map(({ status }) => status));
  expect([served > 0, refused > 0, rest]).toEqual([true, true, {}]);
  const refusal = value.hits.find(({ status }) => status === 429);
  expect(refusal?.body).toMatchObject({ error: { type: 'rate_limited' } });
  expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(upstream.received.length).toBe(calls + 1);
  expect(peak).toBeLessThan(memoryLimit);
  // What was refused is served later.
  expect((await extract(urls, cached)).status).toBe(200);
});
