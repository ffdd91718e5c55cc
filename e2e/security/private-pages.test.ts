// A self-hosted provider in the operator's network reads no private pages for callers, unless the
// operator allows it.
import { describe, expect, test } from 'bun:test';
import { sharedGateway, startGateway } from '../harness.ts';
import { ErrorAnswer } from '../shapes.ts';
import { startUpstream } from '../upstream.ts';

const upstream = startUpstream(() =>
  Response.json({ success: true, data: { markdown: 'inside', metadata: {} } }),
);
const selfHosted = { TRIVIUM_SANDBOX: 'off', FIRECRAWL_API_URL: upstream.url };
const gateway = sharedGateway({ env: selfHosted });

// All private addresses are in contract/src/private-host.test.ts.
const privateAddresses = [
  'http://127.0.0.1:8787/admin/v1/accounts',
  'http://[::ffff:a9fe:a9fe]/',
  'http://metadata.google.internal/',
  'http://%31%32%37.0.0.1/',
  'http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/',
];

describe('pages of a private network', () => {
  test.each(privateAddresses)('%s gives a 400 and is not requested', async (url) => {
    const before = upstream.received.length;
    const urls = ['https://public.example/', url];
    const { status, body } = await gateway().post('/v1/extract', { urls, provider: 'engine_f' });
    expect(status).toBe(400);
    const { detail } = ErrorAnswer.parse(body).error;
    expect((detail as { issues: { path: string }[] }).issues[0]?.path).toMatch(/^urls[.[]1/);
    expect(upstream.received.length).toBe(before);
  });

  test('are not reached through auto, MCP tools or drop-in addresses', async () => {
    const before = upstream.received.length;
    const urls = ['http://127.0.0.1/'];
    expect((await gateway().post('/v1/extract', { urls })).status).toBe(400);
    expect((await gateway().post('/compat/tavily/extract', { urls })).status).toBe(400);
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'extract', arguments: { urls } },
    };
    const accept = { accept: 'application/json, text/event-stream' };
    await gateway().post('/mcp', call, accept);
    expect(upstream.received.length).toBe(before);
  });
});

test.each(['https://public.example/', 'http://8.8.8.8/'])(
  'the public page %s is served',
  async (url) => {
    const asked = { urls: [url], provider: 'engine_f' };
    expect((await gateway().post('/v1/extract', asked)).status).toBe(200);
  },
);

test('an operator can allow private pages', async () => {
  await using open = await startGateway({
    env: { ...selfHosted, TRIVIUM_ALLOW_PRIVATE_PAGES: 'on' },
  });
  const asked = { urls: ['http://127.0.0.1/'], provider: 'engine_f' };
  expect((await open.post('/v1/extract', asked)).status).toBe(200);
});

test('the sandbox accepts every URL without a network request', async () => {
  await using sandbox = await startGateway();
  const asked = { urls: [`${sandbox.url}/healthz`], provider: 'engine_f' };
  const { status, body } = await sandbox.post('/v1/extract', asked);
  expect([status, (body as { results: unknown[] }).results]).toEqual([200, []]);
});
