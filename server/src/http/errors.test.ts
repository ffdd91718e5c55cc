// What breaks on our side: the caller learns a request id and no more, the log learns the rest.
import { expect, test } from 'bun:test';
import { proves } from '../../../e2e/verifies.ts';
import { makeApp } from './app.ts';
import type { AppDevices, Route } from './app.ts';

const secret = 'postgres://user:password@10.0.0.7/ledger';

/** An app whose one route does what the test says, and the lines it logged. */
function appThat(breaks: () => Response | Promise<Response>) {
  const logged: unknown[] = [];
  const routes: Route[] = [{ method: 'GET', path: '/broken', public: true, handle: breaks }];
  const devices = {
    log: {
      error: (line: unknown) => void logged.push(line),
      warn: (line: unknown) => void logged.push(line),
    },
    newRequestId: () => 'req_0123',
    headers: {},
    watch: () => (_request: Request, work: () => Promise<Response>) => work(),
  } as unknown as AppDevices;
  return { app: makeApp(devices, routes), logged };
}

const breakages: [string, () => Response | Promise<Response>][] = [
  [
    'a handler that throws',
    () => {
      throw new Error(`could not reach ${secret}`);
    },
  ],
  ['a promise that is rejected', () => Promise.reject(new TypeError(secret))],
  ['something thrown that is no error at all', () => Promise.reject(secret)],
];

for (const [what, breaks] of breakages) {
  test(`${what} is a 500 that tells a request id and nothing else`, async () => {
    proves('choice.500.internal-error', 'choice.500.request-id-only');
    const { app, logged } = appThat(breaks);
    const response = await app(new Request('http://gateway/broken'));
    expect(response.status).toBe(500);
    expect(response.headers.get('x-request-id')).toBe('req_0123');
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      error: {
        type: 'internal_error',
        message: expect.stringMatching(/\w+ \w+/),
        detail: { request_id: 'req_0123' },
      },
    });
    expect(text).not.toContain('password');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({ request_id: 'req_0123' });
  });
}

test('a store that is away is a 503 with a time to come back', async () => {
  const lost = Object.assign(new Error(secret), { code: 'ERR_POSTGRES_CONNECTION_CLOSED' });
  const { app, logged } = appThat(() => Promise.reject(lost));
  const response = await app(new Request('http://gateway/broken'));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.text()).not.toContain(secret);
  expect(logged).toHaveLength(1);
});
