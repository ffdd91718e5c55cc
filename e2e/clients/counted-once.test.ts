// The other faces of the gateway ask it from inside; for limits and figures that is one request.
import { expect, test } from 'bun:test';
import type { Gateway } from '../harness.ts';
import { sharedGateway } from '../harness.ts';

const PER_MINUTE = 4;
const admin_token = 'operator-token-of-the-counting-tests';
const gateway = sharedGateway({
  env: {
    TRIVIUM_MAX_REQUESTS: '1',
    TRIVIUM_KEY_REQUESTS_PER_MINUTE: String(PER_MINUTE),
    TRIVIUM_ADMIN_TOKEN: admin_token,
  },
});

const compat = (at: Gateway) => at.post('/compat/tavily/search', { query: 'solar' });
const mcp = (at: Gateway, meta = {}) =>
  at.post(
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search', arguments: { query: 'solar' }, ...meta },
    },
    { accept: 'application/json, text/event-stream' },
  );

test('a call is one request: for the room, for the pace of its key, in the figures', async () => {
  const told: Awaited<ReturnType<typeof compat>>[] = [];
  // As many as the key may make in a minute, one after the other in a house for one.
  const streamed = { _meta: { progressToken: 'one' } };
  for (const ask of [compat, mcp, compat, (at: Gateway) => mcp(at, streamed)]) {
    told.push(await ask(gateway()));
  }
  expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(told[1]?.body).toMatchObject({ result: { structuredContent: { provider: 'engine_a' } } });
  expect(told[3]?.headers.get('content-type')).toContain('text/event-stream');
  expect(told[3]?.text).toContain('"provider":"engine_a"');
  const { text } = await gateway().get('/metrics');
  const counted = text.split('\n').filter((line) => line.startsWith('trivium_requests_total'));
  const routes = ['/compat/tavily/search', '/mcp'];
  for (const route of routes) {
    expect(counted).toContain(`trivium_requests_total{route="POST ${route}",status="200"} 2`);
  }
  expect(counted.filter((line) => line.includes('/v1/'))).toEqual([]);
  expect(text).toContain('trivium_served_total{tool="search",provider="engine_a",status="200"} 4');
});

test('the caller of a drop-in address knows its request by the id in the log', async () => {
  const { headers } = await gateway().post('/compat/exa/search', { query: '' });
  const { body } = await gateway().get('/admin/v1/requests', {
    authorization: `Bearer ${admin_token}`,
  });
  const { requests } = body as { requests: { id: string }[] };
  expect(requests.map(({ id }) => id)).toContain(headers.get('x-request-id') ?? '');
});
