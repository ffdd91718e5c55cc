// The documentation as the gateway serves it: complete pages, safe headers, no foreign resources.
import { test } from 'bun:test';
import { verifyHtml } from './verify-html.ts';
import { sharedGateway } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway();

test('the overview lists every page and needs no key', async () => {
  const { status, headers, text } = await gateway().get('/docs', { authorization: null });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).toContain('href="/docs/quickstart"');
  expect(text).toContain('aria-current="page"');
});

test('every page of the overview is well-formed and loads no foreign resource', async () => {
  const { text: overview } = await gateway().get('/docs');
  const addresses = [...overview.matchAll(/href="(\/docs[^"#]*)"/g)].map(([, href = '']) => href);
  expect(addresses.length).toBeGreaterThan(15);
  for (const address of new Set(addresses)) {
    const { status, text } = await gateway().get(address);
    expect([address, status]).toEqual([address, 200]);
    if (address.endsWith('.css')) continue;
    expect([address, ...verifyHtml(text)]).toEqual([address]);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/|<script/);
  }
});

test('the reference, linked from the overview, shows all of the OpenAPI document', async () => {
  const { body } = await gateway().get('/openapi.json');
  const { paths, components } = body as {
    paths: Record<string, Record<string, { operationId: string }>>;
    components: { schemas: Record<string, object> };
  };
  await proves('surface.docs', async () => {
    expect((await gateway().get('/docs')).text).toContain('href="/docs/api"');
    const { text } = await gateway().get('/docs/api');
    const operations = Object.values(paths).flatMap((verbs) => Object.values(verbs));
    for (const { operationId } of operations) expect(text).toContain(`id="${operationId}"`);
    for (const name of Object.keys(components.schemas)) expect(text).toContain(`id="${name}"`);
  });
});

test('a page that does not exist is a 404 that lists those that do', async () => {
  const { status, text } = await gateway().get('/docs/nowhere');
  expect(status).toBe(404);
  expect(text).toContain('/docs/quickstart');
});
