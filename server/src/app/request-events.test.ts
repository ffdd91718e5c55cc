// The events of the request log: one for each row that the ledger has written, with what was charged.
import { expect, test } from 'bun:test';
import type { Ledger } from '../billing/index.ts';
import type { RequestRow } from '../requests/core/index.ts';
import { exportingLedger, startRequestEvents } from './request-events.ts';

const row: RequestRow = {
  id: 'req_1',
  account_id: 'acct_1',
  key_id: 'key_1',
  tool: 'search',
  provider: 'engine_a',
  status: 200,
  error_type: null,
  warnings: 1,
  cost: 0,
  reported_cost: null,
  latency_ms: 40,
  created_at: 1_790_000_000_000,
  paid_by: 'settle',
  delivered: 3,
  asked: 'solar energy',
  tags: 'team=search,run=42',
};

interface Sent {
  resourceLogs: { scopeLogs: { logRecords: LogRecord[] }[] }[];
}
interface LogRecord {
  timeUnixNano: string;
  severityText: string;
  eventName: string;
  traceId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

async function recordsOf(
  use: (ledger: Ledger) => Promise<void>,
  withText = false,
): Promise<{ records: LogRecord[]; values: Record<string, unknown>[] }> {
  const records: LogRecord[] = [];
  const collector = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { resourceLogs } = (await request.json()) as Sent;
      records.push(...(resourceLogs[0]?.scopeLogs[0]?.logRecords ?? []));
      return Response.json({});
    },
  });
  const trace = {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    sampled: true,
    http: { method: 'POST', route: 'POST /v1/search' },
  };
  const events = startRequestEvents({
    endpoint: collector.url.origin,
    serviceName: 'trivium',
    withText,
    current: () => trace,
    warn: () => undefined,
  });
  await use(exportingLedger(ledger as Ledger, events));
  await events.stop();
  await collector.stop(true);
  const values = records.map(({ attributes }) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
  );
  return { records, values };
}

const settle = { id: 'req_1', account_id: 'acct_1', cost: 5000, may_exceed: false } as never;
const ledger: Partial<Ledger> = {
  settle: (_entry, extras) =>
    Promise.resolve(
      extras?.request?.id === 'req_again'
        ? { kind: 'settled', cost: 5000, again: true }
        : { kind: 'settled', cost: 5000, again: false },
    ),
  record: () => undefined,
};

test('a paid request is one event with what was charged, and no text of it', async () => {
  const { records, values } = await recordsOf(async (on) => {
    await on.settle(settle, { request: row });
    await on.settle(settle, { request: { ...row, id: 'req_again' } });
  });
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({
    timeUnixNano: '1790000000040000000',
    severityText: 'INFO',
    eventName: 'trivium.request',
    traceId: 'a'.repeat(32),
  });
  expect(values[0]).toEqual({
    'http.request.method': 'POST',
    'http.route': '/v1/search',
    'http.response.status_code': '200',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'search',
    'gen_ai.tool.call.id': 'req_1',
    'gen_ai.provider.name': 'exa',
    'trivium.provider': 'engine_a',
    'trivium.outcome': 'served',
    'trivium.account_id': 'acct_1',
    'trivium.key_id': 'key_1',
    'trivium.cost_usd': 0.005,
    'trivium.latency_ms': '40',
    'trivium.warnings': '1',
    'trivium.delivered': '3',
    'trivium.from_cache': false,
    'trivium.tag.team': 'search',
    'trivium.tag.run': '42',
  });
});

test('a failure, and what a job cost, are events as well; the text only where it is asked for', async () => {
  const failed = { ...row, status: 502, error_type: 'provider_error', paid_by: null };
  const { records, values } = await recordsOf(async (on) => {
    on.record(failed);
    on.record({
      ...failed,
      asked: null,
      provider: null,
      status: 400,
      error_type: 'invalid_request',
    });
    await on.settle(settle, { costs_request: { ...row, id: 'req_job', tool: 'transcription' } });
  }, true);
  expect(records.map(({ severityText }) => severityText)).toEqual(['ERROR', 'WARN', 'INFO']);
  expect(values[0]).toMatchObject({
    'error.type': 'provider_error',
    'gen_ai.tool.call.arguments': 'solar energy',
    'trivium.cost_usd': 0,
  });
  expect(values[1]).not.toHaveProperty('gen_ai.tool.call.arguments');
  expect(values[1]).not.toHaveProperty('gen_ai.provider.name');
  expect(values[2]).toMatchObject({ 'gen_ai.tool.call.id': 'req_job', 'trivium.cost_usd': 0.005 });
});
