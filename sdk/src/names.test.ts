// Names in either style and names of vendors: what the gateway receives.
import { describe, expect, test } from 'bun:test';
import { createAdminClient } from './admin.ts';
import { createClient } from './client.ts';
import type { SearchInput } from './client.ts';
import { ConfigurationError } from './errors.ts';
import { jobIn, found, startStubGateway } from './stub-gateway.ts';

const apiKey = 'sk_live_test';

/** The body that the gateway receives for a request. */
async function sentFor(request: SearchInput): Promise<unknown> {
  await using gateway = startStubGateway([() => Response.json(found)]);
  await createClient({ url: gateway.url, apiKey }).search(request);
  return gateway.requests[0]?.body;
}

describe('a request', () => {
  test('may be written in camelCase, at every level', async () => {
    const request = {
      query: 'solar',
      maxResults: 3,
      includeDomains: ['a.example'],
      content: { fullText: true, snippets: { maxPerResult: 2, maxCharsPerSnippet: 90 } },
    };
    expect(await sentFor(request)).toEqual({
      query: 'solar',
      max_results: 3,
      include_domains: ['a.example'],
      content: { full_text: true, snippets: { max_per_result: 2, max_chars_per_snippet: 90 } },
    });
  });

  test('may name vendors; their native options stay as they are', async () => {
    const request = {
      query: 'solar',
      provider: 'tavily',
      providerOptions: {
        tavily: { searchDepth: 'advanced', include_answer: true },
        you: { nested: { camelCase: 1 } },
        fusion: { providers: ['exa', 'engine_b'], topK: 5 },
      },
    } as const;
    expect(await sentFor(request as never)).toEqual({
      query: 'solar',
      provider: 'engine_c',
      provider_options: {
        engine_c: { searchDepth: 'advanced', include_answer: true },
        engine_j: { nested: { camelCase: 1 } },
        fusion: { providers: ['engine_a', 'engine_b'], top_k: 5 },
      },
    });
  });

  test.each<[string, unknown]>([
    ['maxResults', { query: 'x', maxResults: 1, max_results: 2 }],
    ['a provider', { query: 'x', provider_options: { exa: {}, engine_a: {} } }],
  ])('with two values for %s is refused', async (_what, request) => {
    const client = createClient({ url: 'http://127.0.0.1:9', apiKey });
    const refused = await client.search(request as never).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigurationError);
    expect(String(refused)).toContain('appears twice');
  });

  test.each([
    ['an unknown vendor', { query: 'x', provider: 'tavly' }],
    [
      'an inherited name',
      { query: 'x', provider: 'constructor', provider_options: { toString: 1 } },
    ],
    ['a list', ['x']],
    ['text', 'x'],
    ['null', null],
    ['a field that is not known', { query: 'x', topK: null, colour: new Date(0) }],
  ])('with %s is left for the gateway to refuse', async (_what, request) => {
    const expected = Object.hasOwn(Object(request), 'topK')
      ? { query: 'x', top_k: null, colour: '1970-01-01T00:00:00.000Z' }
      : request;
    expect(await sentFor(request as never)).toEqual(expected);
  });
});

test('options may be written in either style', async () => {
  await using gateway = startStubGateway([() => Response.json(found)]);
  const client = createClient({ url: gateway.url, api_key: apiKey, max_retries: 0 });
  await client.search({ query: 'x' }, { max_cost_usd: 1, idempotency_key: 'a', cache_seconds: 5 });
  await client.search({ query: 'x' }, { maxCostUsd: 1, idempotencyKey: 'a', cacheSeconds: 5 });
  const [first, second] = gateway.requests.map(({ headers }) =>
    ['x-max-cost-usd', 'idempotency-key', 'x-trivium-cache'].map((name) => headers.get(name)),
  );
  expect(first).toEqual(['1', 'a', '5']);
  expect(second).toEqual(first);
});

test('filters may be written in either style, on every page', async () => {
  const pages = [() => Response.json({ requests: [{ id: 'a' }], next_cursor: 'b' }), empty];
  await using gateway = startStubGateway(pages);
  const admin = createAdminClient({ url: gateway.url, adminToken: 'x' });
  for await (const line of admin.requests.list({ accountId: 'acct_1', error_type: 'not_found' })) {
    expect(line.id).toBe('a');
  }
  expect(gateway.requests.map(({ path }) => path)).toEqual([
    '/admin/v1/requests?account_id=acct_1&error_type=not_found',
    '/admin/v1/requests?account_id=acct_1&error_type=not_found&cursor=b',
  ]);
});

function empty(): Response {
  return Response.json({ requests: [], next_cursor: null });
}

test('the operator may name vendors in a policy and in a check', async () => {
  await using gateway = startStubGateway([
    () => Response.json({ id: 'a', provider: 'engine_a', message: 'OK' }),
  ]);
  const admin = createAdminClient({ url: gateway.url, adminToken: 'x' });
  await admin.accounts.update('acct_1', { providers: ['exa' as never], maxCostUsd: 1 });
  await admin.providers.check('ElevenLabs');
  expect(gateway.requests.map(({ path, body }) => [path, body])).toEqual([
    ['/admin/v1/accounts/acct_1', { providers: ['engine_a'], max_cost_usd: 1 }],
    ['/admin/v1/providers/stt_c/check', null],
  ]);
});

test('an estimate accepts the same names, and is not retried with a key', async () => {
  await using gateway = startStubGateway([() => Response.json({ max_cost_usd: 1 })]);
  const client = createClient({ url: gateway.url, apiKey });
  await client.estimate('transcription', {
    audioUrl: 'https://a.example/b.mp3',
    provider: 'deepgram',
  });
  expect(gateway.requests[0]?.path).toBe('/v1/estimates/transcription');
  expect(gateway.requests[0]?.body).toEqual({
    audio_url: 'https://a.example/b.mp3',
    provider: 'stt_b',
  });
});

test('the progress of a wait is reported in either style', async () => {
  await using gateway = startStubGateway([() => Response.json(jobIn('completed'))]);
  const client = createClient({ url: gateway.url, apiKey });
  const seen: string[] = [];
  const report = ({ status }: { status: string }) => void seen.push(status);
  await client.jobs.wait('job_1', { onProgress: report, pollMs: 1 });
  await client.jobs.wait('job_1', { on_progress: report, poll_ms: 1 });
  expect(seen).toEqual(['completed', 'completed']);
});
