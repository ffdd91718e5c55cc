// The API description as the gateway serves it: its routes, statuses and examples are real.
import { test } from 'bun:test';
import { openApiDocument } from '@trivium/contract/openapi';
import { sharedGateway } from '../harness.ts';
import { hasEnded, waitForJob } from '../jobs.ts';
import { expect, proves } from '../proves.ts';
import { routeTable } from '../security/route-table.ts';

type Operation = {
  responses: Record<string, unknown>;
  parameters?: { in: string; name: string }[];
  requestBody?: {
    content: Record<string, { examples?: Record<string, { value: unknown }> } | undefined>;
  };
};

const operatorToken = 'operator-token-of-the-description-0123';
const gateway = sharedGateway({ env: { TRIVIUM_ADMIN_TOKEN: operatorToken } });
const { paths } = openApiDocument() as unknown as {
  paths: Record<string, Record<string, Operation>>;
};

const api = /^\/(?:v1|admin\/v1|oauth|\.well-known)\//;
/** Pages for people and for models, callbacks, metrics for Prometheus, and third-party protocols. */
const otherFormats =
  /^\/(?:callbacks|healthz|readyz|openapi|docs|metrics|mcp|compat|v2|auth|assets|files|llms\.txt)\b/;

test('a query with the id of an unknown account gets a status that the description lists', async () => {
  const operator = { authorization: `Bearer ${operatorToken}` };
  const asked: string[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    const ofAccount = get?.parameters?.some(
      ({ in: place, name }) => place === 'query' && name === 'account_id',
    );
    if (!get || !ofAccount) continue;
    asked.push(path);
    const address = `${path.replaceAll(/\{\w+\}/g, 'unknown')}?account_id=acct_unknown`;
    const { status } = await gateway().get(address, operator);
    expect({ path, isListed: String(status) in get.responses }).toEqual({ path, isListed: true });
  }
  expect(asked).toContain('/admin/v1/incidents');
});

test('the description has every route of the API, of OAuth, and no other', () => {
  const described = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
  );
  const routes = routeTable()
    .filter(({ path }) => api.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(described.toSorted()).toEqual(routes.toSorted());
  const others = routeTable().filter(
    ({ path, role }) => !api.test(path) && !otherFormats.test(path) && role !== 'visitor',
  );
  expect(others.map(({ path }) => path)).toEqual([]);
});

test('it is served, and so is every example request, the recording included', async () => {
  expect((await gateway().get('/openapi.json')).body).toEqual(openApiDocument());
  const answers = await Promise.all(
    ['/v1/search', '/v1/extract', '/v1/transcriptions'].map(async (path) => {
      const shown = paths[path]?.['post']?.requestBody?.content['application/json']?.examples ?? {};
      const [example] = Object.values(shown);
      return gateway().post(path, example?.value);
    }),
  );
  await proves('surface.openapi-examples', async () => {
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 202]);
    const { id } = answers[2]?.body as { id: string };
    expect((await waitForJob(gateway(), id, hasEnded)).status).toBe('completed');
  });
});
