// The client against a gateway that answers as told: what is sent, repeated and thrown.
import { describe, expect, test } from 'bun:test';
import { createClient } from './client.ts';
import { ApiError, ConnectionError, TimedOutError } from './errors.ts';
import { envelope, found, startStandIn } from './stand-in.ts';

const api_key = 'sk_live_test';
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
    await using gateway = startStandIn([success]);
    const { search } = createClient({ url: `${gateway.url}/`, api_key });
    expect((await search(query, { max_cost_usd: 0.05 })).id).toBe(found.id);
    const [asked] = gateway.asked;
    expect(asked?.path).toBe('/v1/search');
    expect(asked?.body).toEqual(query);
    expect(asked?.headers.get('authorization')).toBe(`Bearer ${api_key}`);
    expect(asked?.headers.get('x-max-cost-usd')).toBe('0.05');
    expect(asked?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('two calls have two idempotency keys, and one that is given is used', async () => {
    await using gateway = startStandIn([success]);
    const { search } = createClient({ url: gateway.url, api_key });
    await search(query);
    await search(query);
    await search(query, { idempotency_key: 'mine' });
    const keys = gateway.asked.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  test('warnings are told with the tool and the provider they concern', async () => {
    await using gateway = startStandIn([success]);
    const heard: unknown[] = [];
    const on_warning = (...all: unknown[]) => void heard.push(all);
    await createClient({ url: gateway.url, api_key, on_warning }).search(query);
    const context = { tool: 'search', id: found.id, provider: 'engine_a' };
    expect(heard).toEqual([[found.warnings[0], context]]);
  });
});

describe('what is repeated', () => {
  const limited = () =>
    envelope(429, { type: 'rate_limited', message: 'Slow down.' }, { 'retry-after': '0' });
  const running = () =>
    envelope(409, { type: 'invalid_request', message: 'Still running.' }, { 'retry-after': '0' });

  test('a 429 is repeated under the same idempotency key', async () => {
    await using gateway = startStandIn([limited, limited, success]);
    await createClient({ url: gateway.url, api_key }).search(query);
    const keys = gateway.asked.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  test('a first request that still runs is waited for, beyond the number of repeats', async () => {
    const answers = [...Array.from({ length: 6 }, () => running), success];
    await using gateway = startStandIn(answers);
    const answer = await createClient({ url: gateway.url, api_key, max_retries: 0 }).search(query);
    expect(answer.id).toBe(found.id);
    expect(gateway.asked).toHaveLength(answers.length);
  });

  test('a 409 that names another body is thrown at once', async () => {
    const other = () => envelope(409, { type: 'invalid_request', message: 'Another body.' });
    await using gateway = startStandIn([other, success]);
    const error = await failureOf(createClient({ url: gateway.url, api_key }).search(query));
    expect(error).toMatchObject({ name: 'ApiError', status: 409, type: 'invalid_request' });
    expect(gateway.asked).toHaveLength(1);
  });

  test('a proxy that has lost its gateway is tried again', async () => {
    const lost = () => new Response('<html>Bad gateway</html>', { status: 502 });
    await using gateway = startStandIn([lost, success]);
    expect((await createClient({ url: gateway.url, api_key }).search(query)).id).toBe(found.id);
  });

  test('the failure of a provider is told, not repeated', async () => {
    const failed = () => envelope(502, { type: 'provider_error', message: 'It failed.' });
    await using gateway = startStandIn([failed, success]);
    const error = await failureOf(createClient({ url: gateway.url, api_key }).search(query));
    expect(error).toMatchObject({ type: 'provider_error', status: 502, request_id: 'req_1' });
    expect(gateway.asked).toHaveLength(1);
  });
});

describe('what is thrown', () => {
  test('a refused request lists every fault of its body', async () => {
    const issues = [{ path: 'query', code: 'too_small', message: 'Must not be empty.' }];
    const refused = () =>
      envelope(400, { type: 'invalid_request', message: 'Not valid.', detail: { issues } });
    await using gateway = startStandIn([refused]);
    const error = await failureOf(createClient({ url: gateway.url, api_key }).search(query));
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).issues).toEqual(issues);
  });

  test('an address where nobody listens is a connection error that names it', async () => {
    const url = 'http://127.0.0.1:9';
    const error = await failureOf(createClient({ url, api_key, max_retries: 0 }).balance());
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toContain(url);
  });

  test('a call that takes too long tells the idempotency key to ask again with', async () => {
    const never = () => new Promise<Response>(() => {});
    const { search } = createClient({ api_key, timeout_ms: 20, fetch: abortable(never) });
    const error = await failureOf(search(query, { idempotency_key: 'mine' }));
    expect(error).toBeInstanceOf(TimedOutError);
    expect(error).toMatchObject({ idempotency_key: 'mine' });
  });

  test('an abort rejects with the reason that was given', async () => {
    const never = () => new Promise<Response>(() => {});
    const stop = new AbortController();
    const { search } = createClient({ api_key, fetch: abortable(never) });
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
