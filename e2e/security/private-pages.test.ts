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

const privateAddresses = [
  'http://169.254.169.254/latest/meta-data/',
  'http://127.0.0.1/',
  'http://127.0.0.1:8787/admin/v1/accounts',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://[::ffff:168.63.129.16]/',
  'http://[64:ff9b::a83f:8110]/',
  'http://192.0.0.192/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://localhost../',
  'http://api.localhost/',
  'http://metadata/',
  'http://metadata.google.internal/',
  'http://host.docker.internal/',
  'http://printer.local/',
  'http://db.cluster.local./',
  'http://router.lan/',
  'http://kubernetes.default.svc/',
  'http://\uff11\uff12\uff17.0.0.1/',
  'http://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3/',
  'http://%31%32%37.0.0.1/',
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

test.each([
  'https://public.example/',
  'http://8.8.8.8/',
  'http://[2606:4700::1111]/',
  'https://internal.example/',
  'https://localhost.example/',
])('the public page %s is served', async (url) => {
  const asked = { urls: [url], provider: 'engine_f' };
  expect((await gateway().post('/v1/extract', asked)).status).toBe(200);
});

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
