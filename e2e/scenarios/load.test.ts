// Many requests at once, and slow or broken clients: every other request is served in bounded time.
import { expect, test } from 'bun:test';
import { startGatewayProcess } from '../harness.ts';
import { readGauge } from '../gauges.ts';
import { connectRaw, rawPost, rawPostHead, rawStatus } from '../raw-connection.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';

const question = { query: 'membranes', provider: 'engine_a' };
const requestCount = 2000;
/** What a held request may cost in memory; 2,000 of them at a megabyte each would be a leak. */
const maxGrowthBytes = 400 * 1024 * 1024;

/** The vendor may take longer for it than a busy machine takes to send all of them. */
const url = 'https://example.org/';
const extraction = { urls: [url], provider: 'engine_a', timeout_ms: 90_000 };

test('serves two thousand slow requests at once and releases all of them', async () => {
  const open = Promise.withResolvers<undefined>();
  await using upstream = startUpstream(async () => {
    await open.promise;
    const results = [{ id: url, url, title: 'A', text: 'Text.' }];
    return Response.json({ results, statuses: [{ id: url, status: 'success' }] });
  });
  const env = {
    ...upstream.env,
    BUN_CONFIG_MAX_HTTP_REQUESTS: '65535',
    TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000',
    // One account leaves an eighth of the requests to others.
    TRIVIUM_PROVIDER_CONCURRENCY: '4096',
  };
  await using gateway = await startGatewayProcess({ env });
  const before = await readGauge(gateway, 'process_resident_memory_bytes');
  const clients = await Promise.all(
    Array.from({ length: requestCount }, async () => {
      const client = await connectRaw(gateway.url);
      client.write(rawPost('/v1/extract', gateway.key, extraction));
      return client;
    }),
  );
  // Says what was answered instead if some never arrive.
  const early: string[] = [];
  for (const client of clients) void client.answered.then((answer) => early.push(answer));
  await upstream.receives(requestCount, extraction.timeout_ms).catch((error: unknown) => {
    throw new Error(`answered before: ${early.join('\n')}`, { cause: error });
  });
  expect(await readGauge(gateway, 'trivium_requests_running')).toBe(requestCount + 1);
  const held = await readGauge(gateway, 'process_resident_memory_bytes');
  expect(held - before).toBeLessThan(maxGrowthBytes);

  open.resolve(undefined);
  const answers = await Promise.all(clients.map((client) => client.answered));
  expect(answers.filter((answer) => rawStatus(answer) !== 200)).toEqual([]);
  for (const client of clients) client.end();
  expect(upstream.received).toHaveLength(requestCount);
  expect(await readGauge(gateway, 'trivium_requests_running')).toBe(1);
  expect(await readGauge(gateway, 'trivium_ledger_waiting')).toBe(0);
});

test('disconnects clients that send their request too slowly, in part or not at all', async () => {
  await using upstream = startUpstream(() => exaAnswer([]));
  await using gateway = await startGatewayProcess({ env: upstream.env });
  const [silent, dripping, stalled] = await Promise.all([
    connectRaw(gateway.url),
    connectRaw(gateway.url),
    connectRaw(gateway.url),
  ]);
  dripping.write('POST /v1/search HTTP/1.1\r\nhost: gateway\r\n');
  const drip = setInterval(() => dripping.write('x-drop: 1\r\n'), 500);
  stalled.write(`${rawPostHead('/v1/search', gateway.key, 100)}{"query":`);
  // Other callers are served in the meantime.
  expect((await gateway.post('/v1/search', question)).status).toBe(200);

  await Promise.all([silent.closed, dripping.closed]);
  clearInterval(drip);
  expect(rawStatus(await stalled.answered)).toBe(408);
  await stalled.closed;
  expect(upstream.received).toHaveLength(1);
  expect(await readGauge(gateway, 'trivium_requests_running')).toBe(1);
});
