// A page of another origin can send every header of the API, and read every one of its answers.
import { openApiDocument } from '@trivium/contract/openapi';
import { expect, test } from 'bun:test';
import { readProject } from '../../../test/tidy/source.ts';
import { allowOrigins } from './cors.ts';

interface Operation {
  parameters?: { in?: string; name?: string }[];
  responses?: Record<string, { headers?: Record<string, unknown> }>;
}

const { paths = {} } = openApiDocument() as {
  paths?: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(paths)
  .filter(([path]) => !path.startsWith('/admin/'))
  .flatMap(([, byMethod]) => Object.values(byMethod));

async function listed(method: string, header: string): Promise<Set<string>> {
  const request = new Request('http://gateway.example/v1/search', { method });
  const response = await allowOrigins(['*'])(request, () => new Response());
  return new Set((response.headers.get(header) ?? '').split(','));
}

test('a browser may send every header that an operation takes', async () => {
  const allowed = await listed('OPTIONS', 'access-control-allow-headers');
  const taken = operations
    .flatMap(({ parameters = [] }) => parameters)
    .flatMap((one) => (one.in === 'header' && one.name ? [one.name.toLowerCase()] : []));
  expect(taken.length).toBeGreaterThan(10);
  expect([...new Set(taken)].filter((name) => !allowed.has(name))).toEqual([]);
});

test('a browser may read every header that an operation answers with', async () => {
  const exposed = await listed('GET', 'access-control-expose-headers');
  const given = operations
    .flatMap(({ responses = {} }) => Object.values(responses))
    .flatMap(({ headers = {} }) => Object.keys(headers).map((name) => name.toLowerCase()));
  expect(given.length).toBeGreaterThan(10);
  expect([...new Set(given)].filter((name) => !exposed.has(name))).toEqual([]);
});

test('a browser may use every header of ours that the server names', async () => {
  const allowed = await listed('OPTIONS', 'access-control-allow-headers');
  const exposed = await listed('GET', 'access-control-expose-headers');
  const named = readProject()
    .filter(({ path }) => /^(?:server|contract)\/src\/(?!.*\.test\.ts)/.test(path))
    .flatMap(({ text }) =>
      [...text.matchAll(/'(x-trivium-[a-z-]+)'/g)].map(([, name = '']) => name),
    );
  const unlisted = [...new Set(named)].filter((name) => !allowed.has(name) && !exposed.has(name));
  expect(unlisted.toSorted()).toEqual(notFromBrowsers);
  // A caller asks for an explanation with the header that it arrives in.
  expect([allowed, exposed].map((names) => names.has('x-trivium-explain'))).toEqual([true, true]);
});

/** An operator on the playground, a callback of a provider, and what the gateway tells itself. */
const notFromBrowsers = ['x-trivium-account', 'x-trivium-callback-secret', 'x-trivium-peer'];
