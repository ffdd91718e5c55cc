// Observability: metrics, readiness and traces, without credentials.
import { test } from 'bun:test';
import { freePort } from '../free-port.ts';
import { startGateway } from '../harness.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';

const question = { query: 'words of the question', provider: 'engine_a' };

test('GET /metrics counts requests, calls, commits and queues, for operators only', async () => {
  await using gateway = await startGateway();
  await gateway.post('/v1/search', question);
  await gateway.get('/no-such-path');
  const { status, text, headers } = await gateway.get('/metrics');
  for (const authorization of [null, `Bearer ${gateway.key}`, 'Bearer op_guessed']) {
    expect((await gateway.get('/metrics', { authorization })).status).toBe(401);
  }
  proves('surface.metrics', () => {
    expect(status).toBe(200);
    expect(headers.get('content-type')).toStartWith('text/plain');
    for (const line of [
      'trivium_requests_total{route="POST /v1/search",status="200"} 1',
      'trivium_requests_total{route="refused",status="404"} 1',
      'trivium_served_total{tool="search",provider="engine_a",status="200",outcome="served"} 1',
      'trivium_upstream_calls_total{provider="engine_a",result="answered"} 1',
      'trivium_circuit_state{provider="engine_a"} 0',
      'trivium_ledger_waiting 0',
    ]) {
      expect(text).toContain(line);
    }
    for (const name of [
      'trivium_request_seconds_bucket',
      'trivium_served_seconds_bucket',
      'trivium_upstream_seconds_bucket',
      'trivium_ledger_batch_size_bucket',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(text).toContain(name);
    }
    // To describe spaces of V8, Bun would collect all garbage at each scrape.
    expect(text).not.toContain('nodejs_heap_space');
  });
  expect(text).not.toContain('words of the question');
  const ready = await gateway.get('/readyz', { authorization: null });
  proves('surface.readyz', () => expect(ready.body).toEqual({ status: 'ready', mode: 'sandbox' }));
});

test('metrics and the admin API can be served on separate ports, and only there', async () => {
  const [adminPort, metricsPort] = [freePort(), freePort()];
  const env = {
    TRIVIUM_ADMIN_PORT: String(adminPort),
    TRIVIUM_METRICS_PORT: String(metricsPort),
    TRIVIUM_ADMIN_TOKEN: 'operator-token-of-this-scenario-0815',
  };
  await using gateway = await startGateway({ env });
  const headers = { authorization: `Bearer ${env.TRIVIUM_ADMIN_TOKEN}` };
  expect((await gateway.get('/metrics')).status).toBe(404);
  const at = (port: number | string, path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers });
  expect((await at(new URL(gateway.url).port, '/admin/v1/accounts')).status).toBe(404);
  await proves('surface.metrics', async () =>
    expect((await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).status).toBe(200),
  );
  expect((await at(metricsPort, '/admin/v1/accounts')).status).toBe(404);
  expect((await at(adminPort, '/admin/v1/accounts')).status).toBe(200);
  expect((await at(adminPort, '/v1/balance')).status).toBe(404);
});

test('traces and events are sent to the collector, and the trace context is propagated', async () => {
  const sent: string[] = [];
  const events: string[] = [];
  const collector = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const isLog = request.url.endsWith('/v1/logs');
      (isLog ? events : sent).push(await request.text());
      return new Response('{}');
    },
  });
  await using upstream = startUpstream(() => exaAnswer([]));
  const otlp = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.origin, OTEL_LOGS_EXPORTER: 'otlp' };
  const env = { ...upstream.env, ...otlp };
  await using gateway = await startGateway({ env });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  await gateway.post('/v1/search', question, {
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  });
  expect(upstream.received[0]?.headers.get('traceparent')).toStartWith(`00-${traceId}-`);
  await gateway.stop();
  await collector.stop(true);
  const spans = sent.flatMap((text) => spansOf(JSON.parse(text)));
  const [server, client] = ['POST /v1/search', 'POST 127.0.0.1'].map((name) =>
    spans.find((span) => span.name.startsWith(name)),
  );
  expect(server).toMatchObject({ traceId: traceId, parentSpanId: 'b7ad6b7169203331', kind: 2 });
  expect(client).toMatchObject({ traceId: traceId, parentSpanId: server?.spanId, kind: 3 });
  const event = events.flatMap((text) => recordsOf(JSON.parse(text)));
  expect(event).toMatchObject([{ traceId, spanId: server?.spanId, eventName: 'trivium.request' }]);
  expect(event[0]?.attributes).toContainEqual({
    key: 'http.route',
    value: { stringValue: '/v1/search' },
  });
  expect([...sent, ...events].join()).not.toContain('words of the question');
});

function recordsOf(body: unknown) {
  type Record = { traceId: string; spanId: string; eventName: string; attributes: object[] };
  const { resourceLogs } = body as { resourceLogs: { scopeLogs: { logRecords: Record[] }[] }[] };
  return resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap((one) => one.logRecords));
}

type SentSpan = { name: string; traceId: string; spanId: string; parentSpanId?: string };

function spansOf(body: unknown): SentSpan[] {
  const { resourceSpans } = body as {
    resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
