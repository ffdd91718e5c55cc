// An event for each row of the request log, as a log record for the operator's collector. The
// attributes follow OpenTelemetry's conventions for HTTP requests and for tools of agents.
import { providerIds, providerNames } from '@trivium/contract';
import { outcomeOf } from '@trivium/contract/outcomes';
import type { Ledger } from '../billing/index.ts';
import { usd } from '../billing/core/index.ts';
import { machine } from '../platform/machine.ts';
import {
  type Attributes,
  attributeList,
  makeOtlpQueue,
  nanoseconds,
  type OtlpOptions,
  resourceOf,
  scope,
  type TraceContext,
} from '../platform/telemetry.ts';
import { tagPairs, type RequestRow } from '../requests/core/index.ts';

type Outcome = Awaited<ReturnType<Ledger['settle']>>;
type Extras = Parameters<Ledger['settle']>[1];

interface EventOptions extends OtlpOptions {
  serviceName: string;
  /** True to send what was asked as well, if the request log keeps it. */
  withText: boolean;
  current: () => TraceContext | undefined;
}

interface LogRecord {
  event: 'trivium.request' | 'trivium.charge';
  atMs: number;
  severity: keyof typeof severities;
  body: string;
  attributes: Attributes;
  trace?: TraceContext | undefined;
}

const severities = { INFO: 9, WARN: 13, ERROR: 17 } as const;

export type RequestEvents = ReturnType<typeof startRequestEvents>;

export function startRequestEvents(options: EventOptions) {
  const { serviceName, withText, current } = options;
  const queue = makeOtlpQueue<LogRecord>('logs', options, (records) =>
    JSON.stringify({
      resourceLogs: [
        {
          resource: resourceOf(serviceName),
          scopeLogs: [{ scope, logRecords: records.map(recordOf) }],
        },
      ],
    }),
  );
  return {
    /** Reports a request that has ended, or a job that was accepted. */
    ended: (request: RequestRow, cost: number) => {
      const trace = current();
      queue.add(requestRecord(request, { cost, withText, trace }));
    },
    /** Reports the cost of a job, which is known only when it has ended. */
    charged: (job: NonNullable<NonNullable<Extras>['costs_request']>, cost: number) => {
      const { id, account_id, key_id, tool, provider } = job;
      queue.add({
        event: 'trivium.charge',
        atMs: machine.now(),
        severity: 'INFO',
        body: `${tool} ${provider ?? 'none'} charged`,
        attributes: {
          ...toolOf(id, tool, provider),
          'trivium.account_id': account_id,
          'trivium.key_id': key_id,
          'trivium.cost_usd': { double: usd(cost) },
        },
      });
    },
    stop: queue.stop,
  };
}

/** A ledger that also sends what it has written to the collector. */
export function exportingLedger(ledger: Ledger, { ended, charged }: RequestEvents): Ledger {
  const note = (outcome: Outcome, extras: Extras): Outcome => {
    if (!('again' in outcome) || outcome.again) return outcome;
    const cost = outcome.kind === 'settled' ? outcome.cost : 0;
    if (extras?.request) ended(extras.request, cost);
    if (extras?.costs_request && cost > 0) charged(extras.costs_request, cost);
    return outcome;
  };
  return {
    ...ledger,
    hold: async (entry, extras) => note(await ledger.hold(entry, extras), extras),
    settle: async (entry, extras) => note(await ledger.settle(entry, extras), extras),
    record: (request) => {
      ended(request, 0);
      ledger.record(request);
    },
  };
}

function requestRecord(
  request: RequestRow,
  { cost, withText, trace }: { cost: number; withText: boolean; trace: TraceContext | undefined },
): LogRecord {
  const { id, tool, provider, status, error_type, asked, latency_ms, created_at } = request;
  const outcome = outcomeOf(status, error_type);
  return {
    event: 'trivium.request',
    atMs: created_at + latency_ms,
    severity: outcome === 'failed' ? 'ERROR' : outcome === 'refused' ? 'WARN' : 'INFO',
    body: `${tool} ${provider ?? 'none'} ${status} ${outcome} in ${latency_ms} ms`,
    attributes: {
      ...(trace?.http && {
        'http.request.method': trace.http.method,
        'http.route': trace.http.route.slice(trace.http.route.indexOf(' ') + 1),
      }),
      'http.response.status_code': status,
      ...(error_type === null ? {} : { 'error.type': error_type }),
      ...toolOf(id, tool, provider),
      ...(withText && asked ? { 'gen_ai.tool.call.arguments': asked } : {}),
      'trivium.outcome': outcome,
      'trivium.account_id': request.account_id,
      'trivium.key_id': request.key_id,
      'trivium.cost_usd': { double: usd(cost) },
      'trivium.latency_ms': latency_ms,
      'trivium.warnings': request.warnings,
      'trivium.delivered': request.delivered ?? 0,
      'trivium.from_cache': request.paid_by === 'cache',
      ...Object.fromEntries(
        tagPairs(request.tags).map(([tag, value]) => [`trivium.tag.${tag}`, value]),
      ),
    },
    trace,
  };
}

/** The conventions call a search the execution of a tool. */
function toolOf(id: string, tool: string, provider: string | null): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.call.id': id,
    ...(provider === null ? {} : { 'gen_ai.provider.name': vendorOf(provider) }),
    ...(provider === null ? {} : { 'trivium.provider': provider }),
  };
}

/** Fusion and `auto` have no vendor. */
function vendorOf(provider: string): string {
  const known = providerIds.find((id) => id === provider);
  return known ? providerNames[known].toLowerCase() : provider;
}

function recordOf({ event, atMs, severity, body, attributes, trace }: LogRecord): object {
  return {
    timeUnixNano: nanoseconds(atMs),
    observedTimeUnixNano: nanoseconds(atMs),
    severityNumber: severities[severity],
    severityText: severity,
    eventName: event,
    body: { stringValue: body },
    attributes: attributeList(attributes),
    ...(trace
      ? { traceId: trace.traceId, spanId: trace.spanId, flags: trace.sampled ? 1 : 0 }
      : {}),
  };
}
