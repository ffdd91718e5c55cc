// MCP and the drop-in addresses call the API internally; limits and metrics count one request.
import { describe, expect, test } from 'bun:test';
import type { Gateway } from '../harness.ts';
import { sharedGateway } from '../harness.ts';

const perMinute = 4;
const adminToken = 'operator-token-of-the-counting-tests';
const gateway = sharedGateway({
  env: {
    TRIVIUM_MAX_REQUESTS: '1',
    TRIVIUM_KEY_REQUESTS_PER_MINUTE: String(perMinute),
    TRIVIUM_ADMIN_TOKEN: adminToken,
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

test('one call counts once: for concurrency, for the rate limit and in the metrics', async () => {
  const answers: Awaited<ReturnType<typeof compat>>[] = [];
  // As many as the rate limit allows, one after the other, with a concurrency limit of one.
  const streamed = { _meta: { progressToken: 'one' } };
  for (const ask of [compat, mcp, compat, (at: Gateway) => mcp(at, streamed)]) {
    answers.push(await ask(gateway()));
  }
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers[1]?.body).toMatchObject({
    result: { structuredContent: { provider: 'engine_a' } },
  });
  expect(answers[3]?.headers.get('content-type')).toContain('text/event-stream');
  expect(answers[3]?.text).toContain('"provider":"engine_a"');
  const { text } = await gateway().get('/metrics');
  const counted = text.split('\n').filter((line) => line.startsWith('trivium_requests_total'));
  const routes = ['/compat/tavily/search', '/mcp'];
  for (const route of routes) {
    expect(counted).toContain(`trivium_requests_total{route="POST ${route}",status="200"} 2`);
  }
  expect(counted.filter((line) => line.includes('/v1/'))).toEqual([]);
  expect(text).toContain(
    'trivium_served_total{tool="search",provider="engine_a",status="200",outcome="served"} 4',
  );
});

test('a drop-in address returns the request id that is in the log', async () => {
  const { headers } = await gateway().post('/compat/exa/search', { query: '' });
  const { body } = await gateway().get('/admin/v1/requests', {
    authorization: `Bearer ${adminToken}`,
  });
  const { requests } = body as { requests: { id: string }[] };
  expect(requests.map(({ id }) => id)).toContain(headers.get('x-request-id') ?? '');
});

const audioUrl = 'https://media.example/talk.mp3';
const page = 'https://example.com/';

/** Every way to call a tool: each is one request, with any outcome. */
const asks: readonly [string, (at: Gateway) => Promise<unknown>][] = [
  ['search', (at) => at.post('/v1/search', { query: 'solar' })],
  ['fusion', (at) => at.post('/v1/search', { query: 'solar', provider: 'fusion' })],
  ['extract', (at) => at.post('/v1/extract', { urls: [page] })],
  ['transcription', (at) => at.post('/v1/transcriptions', { audio_url: audioUrl })],
  ['drop-in search', compat],
  ['drop-in pages', (at) => at.post('/compat/exa/contents', { urls: [page], text: true })],
  ['tool of an agent', (at) => mcp(at)],
  ['extract of an agent', (at) => tool(at, 'extract', { urls: [page] })],
  [
    'transcribe of an agent',
    (at) => tool(at, 'transcribe', { audio_url: audioUrl, wait_seconds: 0 }),
  ],
];

const tool = (at: Gateway, name: string, given: object) =>
  at.post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    { accept: 'application/json, text/event-stream' },
  );

/** The statuses that a request was counted under, once for each count. */
async function countedBy(at: Gateway, ask: () => Promise<unknown>): Promise<string[]> {
  const before = await served(at);
  await ask();
  const after = await served(at);
  return [...after].flatMap(([labels, count]) => {
    const status = /status="(\d+)"/.exec(labels)?.[1] ?? labels;
    return Array.from({ length: count - (before.get(labels) ?? 0) }, () => status);
  });
}

async function served(at: Gateway): Promise<Map<string, number>> {
  const { text } = await at.get('/metrics');
  const lines = text.matchAll(/^trivium_served_total\{(.*)\} (\d+)$/gm);
  return new Map([...lines].map(([, labels = '', count]) => [labels, Number(count)]));
}

describe('without balance', () => {
  const unfunded = sharedGateway({ env: { TRIVIUM_BOOTSTRAP_BALANCE_USD: '0' } });

  test.each(asks)('an unpaid %s is counted once, as a 402', async (_name, ask) => {
    expect(await countedBy(unfunded(), () => ask(unfunded()))).toEqual(['402']);
  });
});

describe('with balance', () => {
  const funded = sharedGateway();

  test.each(asks)('a served %s is counted once', async (name, ask) => {
    const expected = name.startsWith('transcri') ? '202' : '200';
    expect(await countedBy(funded(), () => ask(funded()))).toEqual([expected]);
  });

  test.each(['/v1/search', '/v1/extract', '/v1/transcriptions'])(
    'a refused body of POST %s is counted once, as a 400',
    async (path) => {
      expect(await countedBy(funded(), () => funded().post(path, {}))).toEqual(['400']);
    },
  );

  test('the first answer and its replay are counted once each', async () => {
    const bodies: [string, string, object][] = [
      ['/v1/search', '200', { query: 'wind' }],
      ['/v1/transcriptions', '202', { audio_url: audioUrl }],
    ];
    for (const [path, status, body] of bodies) {
      const ask = () =>
        funded().post(path, body, { 'idempotency-key': `once${path.replaceAll('/', '-')}` });
      expect(await countedBy(funded(), ask)).toEqual([status]);
      expect(await countedBy(funded(), ask)).toEqual([status]);
    }
  });
});
