// What an operator can see: metrics, readiness, log lines and traces, and never a credential.
import { expect } from 'bun:test';
import { freePort } from '../free-port.ts';
import { startGateway } from '../harness.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { scenario } from '../verifies.ts';

const question = { query: 'words of the question', provider: 'engine_a' };

scenario(
  'GET /metrics counts requests, calls, commits and queues, and needs no key',
  ['surface.metrics'],
  async () => {
    await using gateway = await startGateway();
    await gateway.post('/v1/search', question);
    await gateway.get('/no-such-path');
    const { status, text, headers } = await gateway.get('/metrics', { authorization: null });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toStartWith('text/plain');
    for (const line of [
      'trivium_requests_total{route="POST /v1/search",status="200"} 1',
      'trivium_requests_total{route="refused",status="404"} 1',
      'trivium_served_total{tool="search",provider="engine_a",status="200"} 1',
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
    expect(text).not.toContain('words of the question');
  },
);

scenario(
  'metrics and the admin API can have a port of their own, and are then nowhere else',
  ['surface.metrics'],
  async () => {
    const [admin_port, metrics_port] = [freePort(), freePort()];
    const env = {
      TRIVIUM_ADMIN_PORT: String(admin_port),
      TRIVIUM_METRICS_PORT: String(metrics_port),
      TRIVIUM_ADMIN_TOKEN: 'operator-token-of-this-scenario-0815',
    };
    await using gateway = await startGateway({ env });
    const headers = { authorization: `Bearer ${env.TRIVIUM_ADMIN_TOKEN}` };
    expect((await gateway.get('/metrics')).status).toBe(404);
    expect((await gateway.get('/admin/v1/accounts', headers)).status).toBe(404);
    const at = (port: number, path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers });
    expect((await at(metrics_port, '/metrics')).status).toBe(200);
    expect((await at(metrics_port, '/admin/v1/accounts')).status).toBe(404);
    expect((await at(admin_port, '/admin/v1/accounts')).status).toBe(200);
    expect((await at(admin_port, '/v1/balance')).status).toBe(404);
  },
);

scenario('GET /readyz answers without a key', ['surface.readyz'], async () => {
  await using gateway = await startGateway();
  const answer = await gateway.get('/readyz', { authorization: null });
  expect(answer.body).toEqual({ status: 'ready' });
});

scenario(
  'LOG_LEVEL decides how much is logged, and no line holds what was asked or who asked',
  ['settings.log-level'],
  async () => {
    for (const [level, expected] of [
      ['debug', 1],
      ['info', 0],
    ] as const) {
      await using gateway = await startGateway({ env: { LOG_LEVEL: level } });
      const answer = await gateway.post('/v1/search', question);
      await gateway.stop();
      const id = answer.headers.get('x-request-id') ?? 'none';
      const lines = gateway
        .output()
        .split('\n')
        .filter((line) => line.includes(id));
      expect([level, lines.length]).toEqual([level, expected]);
      expect(gateway.output()).not.toContain(question.query);
    }
  },
);

scenario(
  'traces are sent to the collector of the settings, and the context is taken on and passed on',
  ['surface.metrics'],
  async () => {
    const sent: string[] = [];
    const collector = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: async (request) => {
        sent.push(await request.text());
        return new Response('{}');
      },
    });
    await using upstream = startUpstream(() => exaAnswer([]));
    const env = { ...upstream.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.origin };
    await using gateway = await startGateway({ env });
    const trace_id = '0af7651916cd43dd8448eb211c80319c';
    await gateway.post('/v1/search', question, {
      traceparent: `00-${trace_id}-b7ad6b7169203331-01`,
    });
    expect(upstream.received[0]?.headers.get('traceparent')).toStartWith(`00-${trace_id}-`);
    await gateway.stop();
    await collector.stop(true);
    const spans = sent.flatMap((text) => spansOf(JSON.parse(text)));
    const [server, client] = ['POST /v1/search', 'POST 127.0.0.1'].map((name) =>
      spans.find((span) => span.name.startsWith(name)),
    );
    expect(server).toMatchObject({ traceId: trace_id, parentSpanId: 'b7ad6b7169203331', kind: 2 });
    expect(client).toMatchObject({ traceId: trace_id, parentSpanId: server?.spanId, kind: 3 });
    expect(sent.join()).not.toContain('words of the question');
  },
);

type SentSpan = { name: string; traceId: string; spanId: string; parentSpanId?: string };

function spansOf(body: unknown): SentSpan[] {
  const { resourceSpans } = body as {
    resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}
