// The application around the routes: methods, unknown paths, CORS, and the headers of pages.
import { singleHeaders } from '@trivium/contract/headers';
import { expect, test } from 'bun:test';
import { makeApp } from './app.ts';
import type { HttpContext } from './context.ts';
import { makeReadLimit } from './limits.ts';
import type { Route } from './route.ts';
import { makePageHeaders } from './routes/web-files.ts';

let left = 0;
const routes: Route[] = [
  {
    method: 'GET',
    path: '/export',
    role: 'public',
    handle: () => new Response(new ReadableStream({ cancel: () => void (left += 1) })),
  },
  { method: 'GET', path: '/items', role: 'public', handle: () => Response.json([]) },
  { method: 'POST', path: '/items', role: 'public', handle: () => Response.json({}) },
  {
    method: 'GET',
    path: '/page',
    role: 'public',
    page: makePageHeaders({ 'style-src': "'self'" }),
    handle: () => new Response('<p>', { headers: { 'content-type': 'text/html' } }),
  },
];

const steps: string[] = [];
const step = (name: string) => async () => void steps.push(name);
const report = { role: 'admin', scope: 'gateway', report: true, booked: true } as const;
routes.push({
  ...report,
  method: 'GET',
  path: '/report',
  handle: () => new Response(new ReadableStream({ start: step('read') })),
});

const commonHeaders = (): Record<string, string> => ({ 'strict-transport-security': 'max-age=1' });

function makeTestApp(corsOrigins: string[] = [], headers = commonHeaders) {
  const context = {
    newRequestId: () => 'req_0123',
    get headers() {
      return headers();
    },
    isOperator: async () => true,
    reportTurn: () => undefined,
    enterRead: makeReadLimit(),
    ledger: { bookAll: step('book') },
    observe: () => ({ began: () => 0, ended: () => undefined }),
  } as unknown as HttpContext;
  const app = makeApp(context, routes, corsOrigins);
  return (method: string, path: string, headers: HeadersInit = {}) =>
    app(new Request(`http://gateway${path}`, { method, headers }));
}

const corsHeaders = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-allow-'));

test('a path is the same with a slash at its end', async () => {
  expect((await makeTestApp()('GET', '/items/')).status).toBe(200);
});

test('another method is a 405 that lists the allowed ones', async () => {
  const { status, headers } = await makeTestApp()('DELETE', '/items');
  expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
});

test('an unknown path is a 404 with the common headers', async () => {
  const { status, headers } = await makeTestApp()('GET', '/nowhere');
  expect(status).toBe(404);
  expect(headers.get('x-request-id')).toBe('req_0123');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
});

test('pages of a listed origin may call, and no others', async () => {
  const call = makeTestApp(['https://app.example']);
  const preflight = { 'access-control-request-method': 'POST' };
  const listed = await call('OPTIONS', '/items', { ...preflight, origin: 'https://app.example' });
  expect(listed.status).toBe(204);
  expect(listed.headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(listed.headers.get('access-control-allow-headers')).toContain('authorization');
  expect(listed.headers.get('access-control-allow-credentials')).toBeNull();
  expect(listed.headers.get('cache-control')).toBe('no-store');
  const other = await call('OPTIONS', '/items', { ...preflight, origin: 'https://evil.example' });
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
  const answer = await call('GET', '/items', { origin: 'https://app.example' });
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id');
  expect(answer.headers.get('vary')).toBe('Origin');
  const foreign = await call('GET', '/items', { origin: 'https://evil.example' });
  expect(corsHeaders(foreign)).toEqual([]);
});

test('a star allows all origins, and no list allows none', async () => {
  const origin = { origin: 'https://any.example' };
  const all = await makeTestApp(['*'])('GET', '/items', origin);
  expect(all.headers.get('access-control-allow-origin')).toBe('*');
  expect(corsHeaders(await makeTestApp()('GET', '/items', origin))).toEqual([]);
});

test('a page may load only what its policy allows, and other responses have none', async () => {
  const { headers } = await makeTestApp()('GET', '/page');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'self'",
  );
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('permissions-policy')).toBe('camera=(), microphone=(), geolocation=()');
  expect(headers.get('strict-transport-security')).toBe('max-age=1');
  const items = await makeTestApp()('GET', '/items');
  expect(items.headers.get('content-security-policy')).toBeNull();
});

test('a header that a stopping gateway adds is on every response', async () => {
  let headers = commonHeaders();
  const call = makeTestApp([], () => headers);
  headers = { connection: 'close' };
  for (const path of ['/items', '/page', '/nowhere']) {
    expect((await call('GET', path)).headers.get('connection')).toBe('close');
  }
});

test('a HEAD is answered as a GET without its body', async () => {
  left = 0;
  expect((await makeTestApp()('HEAD', '/export')).status).toBe(200);
  // What the body holds is given back.
  expect(left).toBe(1);
  const { status, headers, body } = await makeTestApp()('HEAD', '/items');
  expect([status, body]).toEqual([200, null]);
  expect(headers.get('content-type')).toContain('application/json');
});

test('a handler runs as its row says: within the limit of reads, and after what is deferred', async () => {
  const call = makeTestApp();
  const read = async () => call('GET', '/report', { authorization: 'Bearer x' });
  const answers = await Promise.all(Array.from({ length: 17 }, read));
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(16).fill(200), 429]);
  expect(steps.slice(0, 16)).toEqual(Array<string>(16).fill('book'));
  expect(steps.filter((name) => name === 'read')).toHaveLength(16);
  await answers[0]?.body?.cancel();
  expect((await read()).status).toBe(200);
});

test.each(singleHeaders.map(({ name }) => name))(
  'a request that has %s twice is refused, unlike a header that is a list',
  async (name) => {
    const ask = async (headers: [string, string][]) =>
      makeTestApp()('GET', '/items', new Headers(headers));
    const refused = await ask([
      [name, 'one'],
      [name, 'two'],
    ]);
    expect(refused.status).toBe(400);
    const { error } = (await refused.json()) as { error: { detail: { issues: object[] } } };
    expect(error.detail.issues).toMatchObject([{ path: name, code: 'given_twice' }]);
    expect((await ask([['accept', 'a/b, c/d']])).status).toBe(200);
  },
);
