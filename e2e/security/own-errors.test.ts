// Malformed requests get the documented error envelope with a fitting status.
import { beforeAll, expect, test } from 'bun:test';
import { ErrorEnvelope } from '@trivium/contract';
import { sharedGatewayProcess } from '../harness.ts';
import { connectRaw, rawStatus } from '../raw-connection.ts';
import { routeTable } from './route-table.ts';
import { operator } from './visitor.ts';
import type { Visitor } from './visitor.ts';

/** Below these, errors have the format of another API, or of OAuth. */
const foreignPaths =
  /^\/(?:compat|v2|v1\/audio|v1\/models|\.well-known|oauth\/(?:register|token|revoke))\b/;
// PostgreSQL stores no NUL, and in development a server may show its own page of an error.
const gateway = sharedGatewayProcess({ engine: 'PostgreSQL', env: { NODE_ENV: 'development' } });
let ada: Visitor;
beforeAll(async () => {
  ada = await operator(gateway());
});

const hosts = ['[', 'x:99999', '%', '[::1', '1.2.3.4.5', 'a b', 'a/b', 'user@host', ''];

test('a wrong Host gives a 400 with the error envelope on every route', async () => {
  const wrong: string[] = [];
  const [first] = routeTable();
  const routes = [...hosts.map(() => first), ...routeTable(), { method: 'GET', path: '/nowhere' }];
  for (const [at, route] of routes.entries()) {
    const { method, path } = route ?? { method: 'GET', path: '/' };
    const host = hosts[at % hosts.length] ?? '';
    const answer = await raw(gateway().url, method, path.replaceAll(/:\w+/g, 'none'), host);
    const type = envelopeIn(answer);
    if (rawStatus(answer) !== 400 || type !== 'invalid_request') {
      wrong.push(`${method} ${path} on ${host}: ${answer.slice(0, 100)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a NUL in any identifier of a URL gives a 400', async () => {
  const wrong: string[] = [];
  const names = ['account_id', 'key_id', 'id', 'provider', 'cursor', 'state', 'q'];
  for (const [at, { method, path }] of routeTable().entries()) {
    const paths = [
      ...(path.includes(':') ? [path.replaceAll(/:\w+/g, 'a%00b')] : []),
      `${path.replaceAll(/:\w+/g, 'none')}?${names[at % names.length]}=a%00b`,
    ];
    for (const asked of paths) {
      const body = method === 'GET' ? {} : { body: {} };
      const response = await ada.ask(method, asked, body);
      const text = await response.text();
      const isExpected = foreignPaths.test(path) ? text.includes('NUL') : isEnvelope(text);
      if (response.status !== 400 || !isExpected) {
        wrong.push(`${method} ${asked}: ${response.status}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['/admin/v1/accounts', { name: 'a\0b' }],
  ['/admin/v1/accounts/acct_default/keys', { name: 'a\0b' }],
  ['/admin/v1/accounts/acct_default/topups', { amount_usd: 1, reason: 'a\0b' }],
  ['/admin/v1/accounts/acct_default/refunds', { amount_usd: 1, reason: 'a', request_id: 'req_\0' }],
  ['/admin/v1/invites', { role: 'member', account_id: 'acct_\0' }],
  ['/admin/v1/join', { token: 'a', name: 'a\0b', email: 'a@b.example', password: 'a'.repeat(12) }],
  ['/auth/sign-in/email', { email: 'a\0@b.example', password: 'a'.repeat(12) }],
])('a NUL in a body for %s gives a 400', async (path, body) => {
  expect((await ada.ask('POST', path, { body })).status).toBe(400);
});

test('a forged cursor that contains a NUL gives a 400', async () => {
  const cursor = btoa(JSON.stringify([1, 'a\0b']));
  const response = await ada.ask('GET', `/admin/v1/accounts?cursor=${cursor}`);
  expect(response.status).toBe(400);
});

test('no answer shows a line of source, a path or a trace', async () => {
  const asked = [
    ['GET', '/v1/jobs/%E0%A4%A'],
    ['GET', '/%'],
    ['GET', '//'],
    ['POST', '/auth/sign-in/email'],
    ['GET', '/auth/callback/oidc?state=a&code=b'],
    ['DELETE', '/'],
    ['PROPFIND', '/v1/search'],
  ] as const;
  for (const [method, path] of asked) {
    const text = await raw(gateway().url, method, path, new URL(gateway().url).host);
    expect(text).not.toMatch(/node_modules|\/src\/|\.ts:\d|at async/i);
    // The dashboard is the only HTML page.
    if (rawStatus(text) !== 200) expect(text).not.toMatch(/<!doctype html/i);
    expect([path, rawStatus(text) < 500]).toEqual([path, true]);
  }
});

async function raw(url: string, method: string, path: string, host: string): Promise<string> {
  const client = await connectRaw(url);
  client.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 0\r\n\r\n`);
  const text = await client.answered;
  client.end();
  return text;
}

function envelopeIn(answer: string): string | undefined {
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  try {
    return ErrorEnvelope.parse(JSON.parse(body)).error.type;
  } catch {
    return undefined;
  }
}

function isEnvelope(text: string): boolean {
  try {
    return ErrorEnvelope.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
