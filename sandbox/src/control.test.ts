// Every fault, and the list of calls, through the HTTP control API.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Sandbox } from './index.ts';
import { startSandbox } from './index.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: () => new Date('2026-11-15T12:00:00.000Z') });
});
afterAll(() => sandbox.stop());
afterEach(async () => {
  await control('DELETE', '/faults');
  await control('DELETE', '/calls');
});

function control(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${sandbox.url}/__sandbox${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function setFault(fault: object): Promise<void> {
  const response = await control('POST', '/faults', { mount: '/exa', ...fault });
  expect(response.status).toBe(200);
}

function search(signal?: AbortSignal): Promise<Response> {
  return fetch(`${sandbox.url}/exa/search?trace=1`, {
    method: 'POST',
    headers: { 'x-api-key': 'secret-key', 'content-type': 'application/json', 'x-mark': 'seen' },
    body: JSON.stringify({ query: 'solar energy storage' }),
    ...(signal === undefined ? {} : { signal }),
  });
}

describe('a fault', () => {
  test.each([
    ['rate_limited', 429, 'RATE_LIMIT_EXCEEDED'],
    ['server_error', 500, 'DEFAULT_ERROR'],
    ['unavailable', 503, 'SERVICE_OVERLOADED'],
    ['unauthorized', 401, 'INVALID_API_KEY'],
    ['out_of_credit', 402, 'NO_MORE_CREDITS'],
  ])('of kind %s has the error format of the vendor', async (fault, status, tag) => {
    await setFault({ fault });
    const response = await search();
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ tag, error: expect.any(String) });
    expect(response.headers.get('retry-after')).toBeNull();
  });

  test('carries Retry-After if requested', async () => {
    await setFault({ fault: 'rate_limited', retry_after: 2 });
    expect((await search()).headers.get('retry-after')).toBe('2');
  });

  test('ends after the given number of calls, and the next fault follows', async () => {
    await setFault({ fault: 'server_error', times: 2 });
    await setFault({ fault: 'unavailable', times: 1 });
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await search()).status);
    expect(statuses).toEqual([500, 500, 503, 200]);
  });

  test('lasts until it is deleted if no number is given', async () => {
    await setFault({ fault: 'server_error' });
    await search();
    expect((await search()).status).toBe(500);
    await control('DELETE', '/faults?mount=/exa');
    expect((await search()).status).toBe(200);
  });

  test('can be limited to a method and a path', async () => {
    await setFault({ fault: 'server_error', path: '/contents' });
    await setFault({ fault: 'server_error', method: 'GET' });
    expect((await search()).status).toBe(200);
  });
});

describe('a fault in the delivery', () => {
  test('delays the response, so that a caller with a timeout gives up', async () => {
    await setFault({ fault: 'slow', delay_ms: 60_000 });
    const impatient = search(AbortSignal.timeout(50)).catch((error: Error) => error.name);
    expect(await impatient).toBe('TimeoutError');
  });

  test('sends a slow response completely after the delay', async () => {
    await setFault({ fault: 'slow', delay_ms: 30 });
    const body = (await (await search()).json()) as { results: unknown[] };
    expect(body.results).toHaveLength(10);
  });

  test('truncates the JSON of a response', async () => {
    await setFault({ fault: 'malformed' });
    const response = await search();
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toStartWith('{"requestId"');
    expect(() => JSON.parse(text)).toThrow();
  });

  test('cuts the connection in the middle of the body', async () => {
    await setFault({ fault: 'cut' });
    const outcome = search()
      .then((response) => response.text())
      .catch((error: Error & { code?: string }) => error.code);
    expect(await outcome).toBe('ECONNRESET');
  });

  test('empties a response that stays valid', async () => {
    await setFault({ fault: 'empty' });
    const response = await search();
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ results: [], costDollars: { total: 0.007 } });
  });
});

describe('an invalid fault', () => {
  test.each([
    [{ mount: '/nobody', fault: 'slow', delay_ms: 1 }, 'No vendor is mounted at "/nobody"'],
    [{ mount: '/exa', fault: 'sulk' }, 'fault: Invalid option'],
    [{ mount: '/exa', fault: 'slow' }, 'needs delay_ms'],
    [{ mount: '/exa', fault: 'cut', loud: true }, 'Unrecognized key'],
  ])('is refused with the reason: %j', async (fault, reason) => {
    const response = await control('POST', '/faults', fault);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toContain(reason);
  });
});

describe('the list of calls', () => {
  test('shows what was sent, without the key, even if a fault refused it', async () => {
    await setFault({ fault: 'server_error', times: 1 });
    await search();
    const response = await control('GET', '/calls?mount=/exa');
    const { calls } = (await response.json()) as { calls: Record<string, unknown>[] };
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      at: '2026-11-15T12:00:00.000Z',
      method: 'POST',
      path: '/search',
      query: { trace: '1' },
      headers: { 'x-mark': 'seen' },
      body: { query: 'solar energy storage' },
    });
    expect(JSON.stringify(calls)).not.toContain('secret-key');
  });

  test('can be cleared, and refuses an unknown mount', async () => {
    await search();
    await control('DELETE', '/calls');
    expect(await (await control('GET', '/calls?mount=/exa')).json()).toMatchObject({ calls: [] });
    expect((await control('GET', '/calls?mount=/nobody')).status).toBe(400);
  });

  test('keeps only the last thousand', async () => {
    for (let call = 0; call < 1003; call += 1) {
      await fetch(`${sandbox.url}/exa/nowhere?n=${call}`, { headers: { 'x-api-key': 'k' } });
    }
    const response = await control('GET', '/calls?mount=/exa');
    const { calls } = (await response.json()) as { calls: { query: { n: string } }[] };
    expect(calls).toHaveLength(1000);
    expect(calls[0]?.query.n).toBe('3');
  });
});
