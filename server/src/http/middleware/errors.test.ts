// Internal errors: the caller gets a request id and nothing else, and the log has the cause.
import { test } from 'bun:test';
import { expect, proves } from '../../../../e2e/proves.ts';
import { makeApp } from '../app.ts';
import type { HttpContext } from '../context.ts';
import type { Route } from '../route.ts';

const secret = 'postgres://user:password@10.0.0.7/ledger';

/** An app with one route that fails as given, and the lines it logged. */
function makeFailingApp(fail: () => Response | Promise<Response>) {
  const logged: unknown[] = [];
  const routes: Route[] = [{ method: 'GET', path: '/broken', role: 'public', handle: fail }];
  const context = {
    log: {
      error: (line: unknown) => void logged.push(line),
      warn: (line: unknown) => void logged.push(line),
    },
    newRequestId: () => 'req_0123',
    headers: {},
    observe: () => ({ began: () => 0, ended: () => undefined }),
  } as unknown as HttpContext;
  return { app: makeApp(context, routes), logged };
}

const failures: [string, () => Response | Promise<Response>][] = [
  [
    'a handler that throws',
    () => {
      throw new Error(`could not reach ${secret}`);
    },
  ],
  ['a rejected promise', () => Promise.reject(new TypeError(secret))],
  ['a thrown value that is not an Error', () => Promise.reject(secret)],
];

for (const [what, fail] of failures) {
  test(`${what} is a 500 with a request id and nothing else`, async () => {
    const { app, logged } = makeFailingApp(fail);
    const response = await app(new Request('http://gateway/broken'));
    proves('choice.500.internal-error', () => expect(response.status).toBe(500));
    expect(response.headers.get('x-request-id')).toBe('req_0123');
    const text = await response.text();
    proves(['choice.500.internal-error', 'choice.500.request-id-only'], () =>
      expect(JSON.parse(text)).toEqual({
        error: {
          type: 'internal_error',
          message: expect.stringMatching(/\w+ \w+/),
          detail: { request_id: 'req_0123' },
        },
      }),
    );
    expect(text).not.toContain('password');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({ request_id: 'req_0123' });
  });
}

test('an unreachable store is a 503 with a Retry-After', async () => {
  const lost = Object.assign(new Error(secret), { code: 'ERR_POSTGRES_CONNECTION_CLOSED' });
  const { app, logged } = makeFailingApp(() => Promise.reject(lost));
  const response = await app(new Request('http://gateway/broken'));
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.text()).not.toContain(secret);
  expect(logged).toHaveLength(1);
});
