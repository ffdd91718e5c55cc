// The client against a stub gateway: what is sent, retried and thrown.
import { describe, expect, test } from 'bun:test';
import { createClient } from './client.ts';
import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  InsufficientCreditsError,
  InternalError,
  InvalidRequestError,
  NotFoundError,
  ProviderError,
  ProviderUnavailableError,
  RateLimitedError,
  TimedOutError,
  UnauthorizedError,
} from './errors.ts';
import { readRetryAfter } from './send.ts';
import { envelope, found, jobId, jobIn, startStubGateway } from './stub-gateway.ts';

const apiKey = 'sk_live_test';
const query = { query: 'solar' };
const success = () => Response.json(found);

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('what is sent', () => {
  test('a search carries the key, an idempotency key and the body as given', async () => {
    await using gateway = startStubGateway([success]);
    const { search } = createClient({ url: `${gateway.url}/`, api_key: apiKey });
    expect((await search(query, { max_cost_usd: 0.05 })).id).toBe(found.id);
    const [request] = gateway.requests;
    expect(request?.path).toBe('/v1/search');
    expect(request?.body).toEqual(query);
    expect(request?.headers.get('authorization')).toBe(`Bearer ${apiKey}`);
    expect(request?.headers.get('x-max-cost-usd')).toBe('0.05');
    expect(request?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('two calls have two idempotency keys, and a given key is used', async () => {
    await using gateway = startStubGateway([success]);
    const { search } = createClient({ url: gateway.url, api_key: apiKey });
    await search(query);
    await search(query);
    await search(query, { idempotency_key: 'mine' });
    const keys = gateway.requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  test('on_warning receives each warning with its tool and provider', async () => {
    await using gateway = startStubGateway([success]);
    const received: unknown[] = [];
    const onWarning = (...all: unknown[]) => void received.push(all);
    await createClient({ url: gateway.url, api_key: apiKey, on_warning: onWarning }).search(query);
    const context = { tool: 'search', id: found.id, provider: 'engine_a' };
    expect(received).toEqual([[found.warnings[0], context]]);
  });
});

describe('what a call may add', () => {
  test('a content mode and a budget of tokens, in either spelling', async () => {
    await using gateway = startStubGateway([success]);
    const client = createClient({ url: gateway.url, apiKey });
    await client.search(query, { contentMode: 'clean', maxTokens: 4000 });
    await client.search(query, { content_mode: 'block', max_tokens: 100 });
    await client.search(query);
    const sent = gateway.requests.map(({ headers }) => [
      headers.get('x-trivium-content'),
      headers.get('x-trivium-max-tokens'),
    ]);
    expect(sent).toEqual([
      ['clean', '4000'],
      ['block', '100'],
      [null, null],
    ]);
  });

  test('a content mode of a job, also while waiting for it', async () => {
    await using gateway = startStubGateway([() => Response.json(jobIn('completed'))]);
    const client = createClient({ url: gateway.url, apiKey });
    await client.jobs.get(jobId, { contentMode: 'clean' });
    await client.jobs.wait(jobId, { contentMode: 'block' });
    await client.jobs.get(jobId);
    const sent = gateway.requests.map(({ headers }) => headers.get('x-trivium-content'));
    expect(sent).toEqual(['clean', 'block', null]);
  });

  test('headers of the client and of the call, and the User-Agent', async () => {
    await using gateway = startStubGateway([success]);
    const headers = { 'x-proxy': 'one', 'x-both': 'client' };
    const client = createClient({ url: gateway.url, apiKey, headers });
    await client.search(query, { headers: { 'x-both': 'call' }, maxCostUsd: 1 });
    const sent = gateway.requests[0]?.headers;
    const names = ['x-proxy', 'x-both', 'x-max-cost-usd', 'authorization', 'user-agent'];
    expect(names.map((name) => sent?.get(name))).toEqual([
      'one',
      'call',
      '1',
      `Bearer ${apiKey}`,
      expect.stringMatching(/^trivium-sdk-typescript\/\d+\.\d+\.\d+(-dev)?$/),
    ]);
  });

  test('its own number of retries', async () => {
    const busy = () =>
      envelope(429, { type: 'rate_limited', message: 'x' }, { 'retry-after': '0' });
    await using gateway = startStubGateway([busy]);
    const { search } = createClient({ url: gateway.url, apiKey });
    expect(await failureOf(search(query, { maxRetries: 0 }))).toMatchObject({ status: 429 });
    expect(gateway.requests).toHaveLength(1);
    expect(await failureOf(search(query, { maxRetries: -1 }))).toBeInstanceOf(ConfigurationError);
    expect(await failureOf(search(query, { timeoutMs: 0.5 }))).toBeInstanceOf(ConfigurationError);
    expect(gateway.requests).toHaveLength(1);
  });

  test('a logger, which gets attempts and retries without the credential', async () => {
    const busy = () =>
      envelope(429, { type: 'rate_limited', message: 'x' }, { 'retry-after': '0' });
    await using gateway = startStubGateway([busy, success]);
    const lines: [level: string, message: string, fields: object][] = [];
    const logger = {
      debug: (message: string, fields: object) => void lines.push(['debug', message, fields]),
      warn: (message: string, fields: object) => void lines.push(['warn', message, fields]),
    };
    await createClient({ url: gateway.url, apiKey }).search(query, { logger });
    expect(lines).toMatchObject([
      ['debug', 'POST /v1/search', { status: 429, request_id: 'req_1', attempt: 1 }],
      ['warn', 'Retrying POST /v1/search: x', { wait_ms: 0 }],
      ['debug', 'POST /v1/search', { status: 200, attempt: 2 }],
    ]);
    expect(JSON.stringify(lines)).not.toContain(apiKey);
  });
});

test.each([
  ['unauthorized', 401, UnauthorizedError],
  ['invalid_request', 400, InvalidRequestError],
  ['insufficient_credits', 402, InsufficientCreditsError],
  ['not_found', 404, NotFoundError],
  ['rate_limited', 429, RateLimitedError],
  ['provider_error', 502, ProviderError],
  ['provider_not_available', 501, ProviderUnavailableError],
  ['provider_not_configured', 503, ProviderUnavailableError],
  ['internal_error', 500, InternalError],
  ['of_a_newer_gateway', 418, ApiError],
  ['constructor', 400, ApiError],
])('the error %s has its own class', async (type, status, kind) => {
  await using gateway = startStubGateway([() => envelope(status, { type, message: 'x' })]);
  const client = createClient({ url: gateway.url, apiKey, maxRetries: 0 });
  const error = await failureOf(client.search(query));
  expect(error).toBeInstanceOf(kind);
  expect(error).toBeInstanceOf(ApiError);
  expect([(error as Error).name, (error as ApiError).type]).toEqual([kind.name, type as never]);
});

describe('what is retried', () => {
  const limited = () =>
    envelope(429, { type: 'rate_limited', message: 'Slow down.' }, { 'retry-after': '0' });
  const running = () =>
    envelope(409, { type: 'invalid_request', message: 'Still running.' }, { 'retry-after': '0' });

  test('a 429 is retried with the same idempotency key', async () => {
    await using gateway = startStubGateway([limited, limited, success]);
    await createClient({ url: gateway.url, api_key: apiKey }).search(query);
    const keys = gateway.requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  test.each([
    ['300', 300],
    ['61.5', 61.5],
    ['Fri, 01 Jan 2100 00:00:00 GMT', (Date.UTC(2100, 0, 1) - Date.now()) / 1000],
  ])(
    'a Retry-After of %s is too long to wait, so the caller gets the error',
    async (value, seconds) => {
      const busy = () =>
        envelope(429, { type: 'rate_limited', message: 'Later.' }, { 'retry-after': value });
      await using gateway = startStubGateway([busy, success]);
      const error = await failureOf(
        createClient({ url: gateway.url, api_key: apiKey }).search(query),
      );
      expect((error as ApiError).retry_after).toBeCloseTo(seconds, -2);
      expect(gateway.requests).toHaveLength(1);
    },
  );

  test('a wait beyond the timeout of the call is not started', async () => {
    const busy = () =>
      envelope(503, { type: 'provider_not_available', message: 'x' }, { 'retry-after': '5' });
    await using gateway = startStubGateway([busy, success]);
    const { search } = createClient({ url: gateway.url, api_key: apiKey, timeout_ms: 2000 });
    expect(await failureOf(search(query))).toMatchObject({ status: 503, retry_after: 5 });
  });

  test.each([
    ['0', 0],
    ['1.5', 1.5],
    [' 7 ', 7],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Tue, 17 Nov 2026 12:00:30 GMT', 30],
    ['', undefined],
    ['-1', undefined],
    ['1e9', undefined],
    ['Infinity', undefined],
    ['Sun, 99 Foo 1994 99:49:37 GMT', undefined],
    ['2026-11-17', undefined],
  ])('Retry-After "%s" is read as %p', (value, seconds) => {
    expect(readRetryAfter(value, Date.UTC(2026, 10, 17, 12))).toBe(seconds as never);
  });

  test('the client waits for its own running request longer than max_retries', async () => {
    const answers = [...Array.from({ length: 6 }, () => running), success];
    await using gateway = startStubGateway(answers);
    const answer = await createClient({ url: gateway.url, api_key: apiKey, max_retries: 0 }).search(
      query,
    );
    expect(answer.id).toBe(found.id);
    expect(gateway.requests).toHaveLength(answers.length);
  });

  test('a 409 for another body is thrown immediately', async () => {
    const other = () => envelope(409, { type: 'invalid_request', message: 'Another body.' });
    await using gateway = startStubGateway([other, success]);
    const error = await failureOf(
      createClient({ url: gateway.url, api_key: apiKey }).search(query),
    );
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      status: 409,
      type: 'invalid_request',
    });
    expect(gateway.requests).toHaveLength(1);
  });

  test('a proxy that cannot reach its gateway is retried', async () => {
    const lost = () => new Response('<html>Bad gateway</html>', { status: 502 });
    await using gateway = startStubGateway([lost, success]);
    expect((await createClient({ url: gateway.url, api_key: apiKey }).search(query)).id).toBe(
      found.id,
    );
  });

  test('the failure of a provider is thrown, not retried', async () => {
    const failed = () => envelope(502, { type: 'provider_error', message: 'It failed.' });
    await using gateway = startStubGateway([failed, success]);
    const error = await failureOf(
      createClient({ url: gateway.url, api_key: apiKey }).search(query),
    );
    expect(error).toMatchObject({ type: 'provider_error', status: 502, request_id: 'req_1' });
    expect(gateway.requests).toHaveLength(1);
  });
});

describe('what is thrown', () => {
  test('a refused request lists every error in its body', async () => {
    const issues = [{ path: 'query', code: 'too_small', message: 'Must not be empty.' }];
    const refused = () =>
      envelope(400, { type: 'invalid_request', message: 'Not valid.', detail: { issues } });
    await using gateway = startStubGateway([refused]);
    const error = await failureOf(
      createClient({ url: gateway.url, api_key: apiKey }).search(query),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).issues).toEqual(issues);
  });

  test('a refused connection is a connection error that names the URL', async () => {
    const url = 'http://127.0.0.1:9';
    const error = await failureOf(createClient({ url, api_key: apiKey, max_retries: 0 }).balance());
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toContain(url);
  });

  test('a timeout error carries the idempotency key to retry with', async () => {
    const never = () => new Promise<Response>(() => {});
    const { search } = createClient({ api_key: apiKey, timeout_ms: 20, fetch: abortable(never) });
    const error = await failureOf(search(query, { idempotency_key: 'mine' }));
    expect(error).toBeInstanceOf(TimedOutError);
    expect(error).toMatchObject({ idempotency_key: 'mine' });
  });

  test('a connection that broke and a refusal carry the key of every try', async () => {
    let lost = 0;
    const breaking = () => {
      lost += 1;
      return Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    };
    const client = createClient({ api_key: apiKey, fetch: breaking, max_retries: 1 });
    const error = await failureOf(client.search(query));
    expect(lost).toBe(2);
    expect(error).toMatchObject({ name: 'ConnectionError', failure: 'closed' });
    expect(error).toMatchObject({ idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await failureOf(client.balance())).toMatchObject({ idempotency_key: undefined });
    const refused = () => envelope(502, { type: 'provider_error', message: 'It failed.' });
    await using gateway = startStubGateway([refused, () => new Response('no', { status: 500 })]);
    const { search } = createClient({ url: gateway.url, api_key: apiKey });
    const errors = [await failureOf(search(query)), await failureOf(search(query))];
    expect(errors.map((one) => (one as ApiError).idempotency_key ?? null)).toEqual(
      gateway.requests.map(({ headers }) => headers.get('idempotency-key')),
    );
  });

  test('an abort rejects with its reason', async () => {
    const never = () => new Promise<Response>(() => {});
    const stop = new AbortController();
    const { search } = createClient({ api_key: apiKey, fetch: abortable(never) });
    const failed = failureOf(search(query, { signal: stop.signal }));
    stop.abort(new Error('not needed any more'));
    expect(await failed).toMatchObject({ message: 'not needed any more' });
  });
});

/** A fetch that, like the real one, rejects when its signal is aborted. */
function abortable(answer: () => Promise<Response>) {
  return (_url: string, { signal }: RequestInit): Promise<Response> =>
    Promise.race([
      answer(),
      new Promise<never>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
    ]);
}

describe('tags, usage and jobs', () => {
  const tagsOf = async (tags: object | undefined, every: object | undefined = undefined) => {
    await using gateway = startStubGateway([success]);
    const options = { url: gateway.url, api_key: apiKey, tags: every as never };
    await createClient(options).search(query, { tags: tags as never });
    return gateway.requests[0]?.headers.get('x-trivium-tags') ?? undefined;
  };

  test('the tags of the client and of the call are one header', async () => {
    expect(await tagsOf(undefined)).toBeUndefined();
    expect(await tagsOf({})).toBeUndefined();
    expect(await tagsOf({ run: 42 }, { team: 'search', run: 1 })).toBe('team=search,run=42');
  });

  test('an estimate is requested by tool', async () => {
    await using gateway = startStubGateway([() => Response.json({ max_cost_usd: 0.01 })]);
    const client = createClient({ url: gateway.url, api_key: apiKey });
    expect(await client.estimate('search', query)).toMatchObject({ max_cost_usd: 0.01 });
    const [asked] = gateway.requests;
    expect([asked?.path, asked?.body]).toEqual(['/v1/estimates/search', query]);
  });

  test('a tag that would become another one is refused before it is sent', async () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`t${at}`, 1]));
    const hostile = [
      { a: 'b,c=d' },
      { 'a=b': 'c' },
      { a: '' },
      { '': 'b' },
      { a: 'b\r\nc: d' },
      many,
    ];
    for (const tags of [...hostile, { a: 'x'.repeat(65) }, { a: 'é' }, { a: undefined }]) {
      expect(await failureOf(tagsOf(tags))).toBeInstanceOf(ConfigurationError);
      expect(() => createClient({ api_key: apiKey, tags: tags as never })).toThrow(
        ConfigurationError,
      );
    }
  });

  test('usage and jobs are requested with their filters, and every page is read', async () => {
    const page = (ids: string[], cursor: string | null) => () =>
      Response.json({ jobs: ids.map((id) => ({ id })), next_cursor: cursor });
    const used = { by: 'tool', usage: [], total: { requests: 0, failures: 0, cost_usd: 0 } };
    await using gateway = startStubGateway([
      () => Response.json(used),
      page(['a', 'b'], 'next'),
      page(['c'], null),
    ]);
    const client = createClient({ url: gateway.url, api_key: apiKey });
    expect(await client.usage({ by: 'tag:team', from: '2026-11-01' })).toEqual(used as never);
    const ids: string[] = [];
    for await (const { id } of client.jobs.list({ status: 'failed', limit: 2 })) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(gateway.requests.map(({ path }) => path)).toEqual([
      '/v1/usage?by=tag%3Ateam&from=2026-11-01',
      '/v1/jobs?status=failed&limit=2',
      '/v1/jobs?status=failed&limit=2&cursor=next',
    ]);
  });

  test('the document of a provider is returned unchanged, with its text and its headers', async () => {
    const text = '{ "meta" : 1.50,\n"metadata": {} }';
    const headers = { 'x-trivium-ends-early': '900 of 2700 s' };
    await using gateway = startStubGateway([() => new Response(text, { headers })]);
    const client = createClient({ url: gateway.url, api_key: apiKey });
    const answer = await client.jobs.raw('job_1').withResponse();
    expect(answer.data).toEqual({ meta: 1.5, metadata: {} });
    expect(answer.text).toBe(text);
    expect(answer.headers.get('x-trivium-ends-early')).toBe('900 of 2700 s');
    expect(gateway.requests[0]?.path).toBe('/v1/jobs/job_1/raw');
  });
});
