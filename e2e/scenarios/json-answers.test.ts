// Every route of the API, as the gateway lists them, answers in JSON: successes and refusals.
import { test } from 'bun:test';
import { sharedGateway } from '../harness.ts';
import { expect, proves } from '../proves.ts';
import { routeTable } from '../security/route-table.ts';

const adminToken = 'operator-token-of-the-json-scenarios-0123';
const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: adminToken } });

const api = /^\/(?:v1|admin\/v1|callbacks)\/|^\/(?:healthz|readyz|openapi(?:-3\.0)?\.json)$/;
/** Pages for people and for models, metrics for Prometheus, and third-party protocols. */
const otherFormats =
  /^\/(?:docs|metrics|mcp|compat|v2|auth|oauth|\.well-known|assets|files|llms\.txt)\b/;
/** Files for people, in the format that they choose. */
const exports = /\/export$/;

const account = '/admin/v1/accounts/acct_default';
const money = { amount_usd: 1, reason: 'test' };
/** A valid body for each POST that cannot succeed without one. */
const bodies: Readonly<Record<string, object>> = {
  '/v1/search': { query: 'tides', provider: 'engine_a' },
  '/v1/extract': { urls: ['https://pages.example/new-home'], provider: 'engine_a' },
  '/v1/transcriptions': { audio_url: 'https://recordings.example/interview.wav' },
  '/admin/v1/accounts': { name: 'Another' },
  [`${account}/topups`]: money,
  [`${account}/adjustments`]: money,
  [`${account}/keys`]: { name: 'another' },
  '/admin/v1/providers/engine_a/check': {},
};

test('every route is part of the API, a page of the dashboard or another known format', () => {
  const unknown = routeTable().filter(
    (route) => !api.test(route.path) && !otherFormats.test(route.path) && route.role !== 'visitor',
  );
  expect(unknown.map(({ path }) => path)).toEqual([]);
});

test('every route of the API answers in JSON with the content type of JSON', async () => {
  const operator = { authorization: `Bearer ${adminToken}` };
  const successes = new Set<string>();
  const routes = routeTable().filter(({ path }) => api.test(path) && !exports.test(path));
  for (const route of routes) {
    const path = fill(route.path);
    const body = route.method === 'GET' ? undefined : (bodies[path] ?? {});
    const wrongBody = route.method === 'GET' ? undefined : '{"unfinished';
    const answers = [
      await gateway().ask(route.method, path, body, { authorization: null }),
      await gateway().ask(route.method, path, wrongBody, route.role === 'admin' ? operator : {}),
      await gateway().ask(route.method, path, body, route.role === 'admin' ? operator : {}),
    ];
    for (const { status, headers, text, body: parsed } of answers) {
      if (status < 300) successes.add(`${route.method} ${route.path}`);
      // An answer without content has no format.
      if (status === 204) {
        expect(text).toBe('');
        continue;
      }
      proves('conventions.answers-are-json', () => {
        const place = [route.method, path, status];
        const type = headers.get('content-type');
        expect([...place, type]).toEqual([...place, expect.stringMatching(/^application\/json\b/)]);
        expect([...place, parsed === undefined]).toEqual([...place, false]);
      });
    }
  }
  // The four endpoints and every operator list have also succeeded.
  const ofPeople = ['/admin/v1/session', '/admin/v1/profile'];
  const reads = routes.filter(
    ({ method, path }) => method === 'GET' && !ofPeople.includes(path) && !path.includes(':'),
  );
  const expected = [
    ...reads.map(({ method, path }) => `${method} ${path}`),
    'POST /v1/search',
    'POST /v1/extract',
    'POST /v1/transcriptions',
  ];
  expect(expected.filter((route) => !successes.has(route))).toEqual([]);
});

function fill(path: string): string {
  const filled = path
    .replace('/accounts/:id', '/accounts/acct_default')
    .replace('/providers/:id', '/providers/engine_a')
    .replace('/jobs/:id', '/jobs/job_01890a5d-ac96-774b-bcce-b302099a8057')
    .replace(':provider', 'stt_a')
    .replaceAll(/:\w+/g, 'none');
  const ofOneAccount = ['overview', 'activity', 'attention'].map((name) => `/admin/v1/${name}`);
  return ofOneAccount.includes(filled) ? `${filled}?account_id=acct_default` : filled;
}
