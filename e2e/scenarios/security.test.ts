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
