// Malicious requests: each gets a documented status, costs nothing, and leaves the gateway running.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { connectRaw, rawStatus } from '../raw-connection.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  // After all requests, the gateway still serves and has charged nothing.
  expect((await gateway.get('/v1/balance')).body).toMatchObject({ balance_usd: 10, held_usd: 0 });
  await gateway.close();
});

describe('a body', () => {
  const asText = (text: string) => gateway.post('/v1/search', text);

  test.each([
    ['nested a hundred thousand deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['of objects nested deep', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['with a number out of range', '{"query":"a","max_results":1e999}'],
    ['with a number of a thousand digits', `{"query":"a","max_results":${'9'.repeat(1000)}}`],
    ['with a key for the prototype', '{"query":"a","__proto__":{"max_results":3}}'],
    ['with a key for the constructor', '{"query":"a","constructor":{"prototype":{"a":1}}}'],
    ['of null bytes', '\u0000'.repeat(100)],
    ['with a second value after it', '{"query":"a"}{"query":"b"}'],
    ['with half of a character', Buffer.from([0x22, 0xff, 0xfe, 0x22]).toString('latin1')],
    ['that is empty', ''],
  ])('%s gives a 400', async (_what, text) => {
    expect((await asText(text)).status).toBe(400);
  });

  test('with both a length and chunked encoding is not read as two requests', async () => {
    const body = '{"query":"a"}';
    const hidden = 'GET /healthz HTTP/1.1\r\nhost: gateway\r\n\r\n';
    const client = await connectRaw(gateway.url);
    client.write(
      [
        'POST /v1/search HTTP/1.1',
        'host: gateway',
        'content-type: application/json',
        `content-length: ${body.length}`,
        'transfer-encoding: chunked',
        '',
        `0\r\n\r\n${hidden}`,
      ].join('\r\n'),
    );
    await client.closed;
    expect(client.received()).not.toContain('200 OK');
  });
});

describe('a request line or header', () => {
  const raw = async (...lines: string[]) => {
    const client = await connectRaw(gateway.url);
    client.write(`${lines.join('\r\n')}\r\n\r\n`);
    const status = await Promise.race([client.answered.then(rawStatus), client.closed]);
    client.end();
    return status ?? 'cut';
  };

  test.each([
    ['GET /v1/../../etc/passwd HTTP/1.1', 404],
    ['GET /docs/..%2f..%2fpackage HTTP/1.1', 404],
    ['GET /v1/jobs/%00 HTTP/1.1', 400],
    ['GET /v1/jobs/%E0%A4%A HTTP/1.1', 401],
    ['TRACE /v1/search HTTP/1.1', 405],
    ['OPTIONS /v1/search HTTP/1.1', 405],
  ])('%s gets its documented status', async (line, status) => {
    expect([line, await raw(line, 'host: gateway')]).toEqual([line, status]);
  });

  test('above the size limit is refused or the connection is closed', async () => {
    const refused = await raw('GET /healthz HTTP/1.1', 'host: a', `x-a: ${'a'.repeat(100_000)}`);
    expect([431, 'cut']).toContain(refused);
  });
});

test('no response has CORS headers by default', async () => {
  const origin = { origin: 'https://elsewhere.example' };
  const preflight = { ...origin, 'access-control-request-method': 'POST' };
  const answers = [
    await gateway.ask('OPTIONS', '/v1/search', undefined, preflight),
    await gateway.post('/v1/search', {}, origin),
    await gateway.get('/v1/balance', origin),
    await gateway.get('/openapi.json', origin),
    await gateway.get('/admin/v1/session', origin),
    await gateway.get('/metrics', origin),
  ];
  for (const { headers } of answers) {
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});
