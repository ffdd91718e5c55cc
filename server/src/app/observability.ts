// Observability: metrics and a log line for every request, what the modules count for Prometheus, and
// traces of requests and upstream calls if the operator configures a collector.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Ledger, StoppedAccounts } from '../billing/index.ts';
import type { HttpContext } from '../http/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Send } from '../platform/http-client.ts';
import type { Log } from '../platform/log.ts';
import { machine } from '../platform/machine.ts';
import { type Meter, type Metrics, makeMetrics, measureEventLoop } from '../platform/metrics.ts';
import {
  type Tracing,
  readTraceparent,
  registerOtlp,
  startTracing,
  writeTraceparent,
} from '../platform/telemetry.ts';
import type { ServiceMetrics } from '../requests/index.ts';
import type { Settings } from '../settings/index.ts';
import type { FailedTask } from '../store/index.ts';
import { type RequestEvents, exportingLedger, startRequestEvents } from './request-events.ts';

export type Observability = ReturnType<typeof makeObservability>;

export function makeObservability(settings: Settings, log: Log) {
  const metrics = makeMetrics();
  const { tracing, events } = startExports(settings, log);
  if (tracing) registerOtlp(metrics);
  const eventLoop = measureEventLoop(metrics, systemClock);
  return {
    metrics,
    observeRequest: makeRequestObserver(metrics, tracing, log),
    /** Wraps each upstream call in a span if tracing is on. */
    observeSend: (send: Send) => (tracing ? traceSend(tracing, send) : send),
    /** Sends an event for each row of the request log if the operator asks for it. */
    observeLedger: (ledger: Ledger) => (events ? exportingLedger(ledger, events) : ledger),
    stop: async () => {
      eventLoop.stop();
      await Promise.all([tracing?.stop(), events?.stop()]);
    },
  };
}

function startExports(settings: Settings, log: Log): { tracing?: Tracing; events?: RequestEvents } {
  const { otel_exporter_otlp_endpoint: endpoint, otel_service_name: serviceName } = settings;
  const withTraces = settings.otel_traces_exporter === 'otlp';
  const withEvents = settings.otel_logs_exporter === 'otlp';
  if (endpoint === undefined || !(withTraces || withEvents)) return {};
  const options = { endpoint, serviceName, warn: (message: string) => log.warn(message) };
  const tracing = startTracing({ ...options, isExported: withTraces });
  if (!withEvents) return { tracing };
  const { current } = tracing;
  const withText = settings.otlp_logs_text;
  return { tracing, events: startRequestEvents({ ...options, withText, current }) };
}

const slowAfterMs = 10_000;

function makeRequestObserver(
  metrics: Metrics,
  tracing: Tracing | undefined,
  log: Log,
): HttpContext['observe'] {
  let running = 0;
  const gauge: Gauge = new Gauge({
    name: 'trivium_requests_running',
    help: 'Requests in progress.',
    registers: [metrics.registry],
    collect: () => gauge.set(running),
  });
  return (route) => {
    const meter = metrics.meter('request', route);
    return {
      began: () => {
        running += 1;
        return machine.ticks();
      },
      ended: (began, response) => {
        running -= 1;
        if (response) report(meter, log, route, response, machine.ticks() - began);
      },
      ...(tracing
        ? { inSpan: (request, work) => traceRequest(tracing, route, request, work) }
        : {}),
    };
  };
}

/** Logs neither bodies nor the caller. The request log contains them, under the request id. */
function report(meter: Meter, log: Log, route: string, { status, headers }: Response, ms: number) {
  meter(String(status), ms);
  const level = status >= 500 || ms > slowAfterMs ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const requestId = headers.get('x-request-id');
  log[level]({ request_id: requestId, route, status, ms: Math.round(ms) }, 'request');
}

function traceRequest(
  tracing: Tracing,
  route: string,
  request: Request,
  work: () => Promise<Response>,
): Promise<Response> {
  const parent = readTraceparent(request.headers.get('traceparent'));
  return tracing.span(
    route,
    'server',
    async (context, describe) => {
      context.http = { method: request.method, route };
      const response = await work();
      const { status } = response;
      const attributes = {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': status,
      };
      describe(attributes, status >= 500);
      return response;
    },
    parent,
  );
}

function traceSend(tracing: Tracing, send: Send): Send {
  return (outgoing) => {
    const { host, pathname } = new URL(outgoing.url);
    return tracing.span(`${outgoing.method} ${host}`, 'client', async (context, describe) => {
      const headers = { ...outgoing.headers, traceparent: writeTraceparent(context) };
      const sent = await send({ ...outgoing, headers });
      const attributes = { 'server.address': host, 'url.path': pathname };
      if (sent.ok) describe({ ...attributes, 'http.response.status_code': sent.status });
      else describe({ ...attributes, 'error.type': sent.failure }, true);
      return sent;
    });
  };
}

const batchSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const batchSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

interface Counted {
  name: string;
  help: string;
  labels?: readonly string[];
}

const counters = {
  unbooked: {
    name: 'trivium_ledger_unbooked_total',
    help: 'Deferred settlements that could not be booked; the audit names them.',
  },
  brokenRules: {
    name: 'trivium_broken_rules_total',
    help: 'Writes refused because they would break a rule about money, jobs or leases: a bug.',
    labels: ['rule'],
  },
  unlogged: {
    name: 'trivium_unlogged_refusals_total',
    help: 'Refused requests that were not logged, because their account had too many.',
  },
  failedAdapters: {
    name: 'trivium_adapter_failures_total',
    help: 'Answers that the adapter of a provider could not process: a bug in the gateway.',
    labels: ['provider'],
  },
  unreadWords: {
    name: 'trivium_transcript_unread_words_total',
    help: 'Words left out of transcripts because the provider reported them incompletely.',
    labels: ['provider'],
  },
  endedEarly: {
    name: 'trivium_transcripts_ended_early_total',
    help: 'Transcripts whose last word ends long before the recording does.',
    labels: ['provider'],
  },
  withoutDuration: {
    name: 'trivium_transcripts_without_duration_total',
    help: 'Transcripts charged by their last word or their hold: no usable duration was reported.',
    labels: ['provider'],
  },
  cached: {
    name: 'trivium_cache_total',
    help: 'Searches and pages of requests that use the cache: hit, joined or miss.',
    labels: ['tool', 'result'],
  },
} satisfies Record<string, Counted>;

function makeCounters(registry: Registry) {
  const make = ([key, { name, help, labels = [] }]: [string, Counted]) =>
    [key, new Counter({ name, help, labelNames: [...labels], registers: [registry] })] as const;
  return Object.fromEntries(Object.entries(counters).map(make)) as Record<
    keyof typeof counters,
    Counter
  >;
}

export function makeServiceMetrics(metrics: Metrics, log: Log): ServiceMetrics {
  const made = makeCounters(metrics.registry);
  const served = new Map<string, Meter>();
  const called = new Map<string, Meter>();
  const parts = new Map<string, Counter.Internal>();
  const addSize = metrics.histogram(
    'trivium_ledger_batch_size',
    'Entries that shared one commit of the ledger.',
    batchSizes,
  );
  const addSeconds = metrics.histogram(
    'trivium_ledger_batch_seconds',
    'Duration of a ledger commit.',
    batchSeconds,
  );
  return {
    cached: (tool, result) =>
      parts.getOrInsertComputed(`${tool} ${result}`, () => made.cached.labels(tool, result)).inc(),
    served: (tool, provider, result, ms) =>
      served.getOrInsertComputed(`${tool} ${provider}`, () =>
        metrics.meter('served', tool, provider),
      )(result, ms),
    called: (provider, result, ms) =>
      called.getOrInsertComputed(provider, () => metrics.meter('upstream', provider))(result, ms),
    adapterFailed: (provider, error) => {
      made.failedAdapters.inc({ provider });
      log.error(
        { err: error, provider },
        'the adapter of a provider could not process its answer: a bug in the gateway',
      );
    },
    transcribed: (provider, { unread_words, ends_early, no_duration }) => {
      if (unread_words > 0) made.unreadWords.inc({ provider }, unread_words);
      if (ends_early) made.endedEarly.inc({ provider });
      if (no_duration) made.withoutDuration.inc({ provider });
    },
    batch: (entries, ms) => {
      addSize(entries);
      addSeconds(ms / 1000);
    },
    unbooked: () => made.unbooked.inc(),
    brokenRule: (rule) => made.brokenRules.inc({ rule }),
    unlogged: () => made.unlogged.inc(),
  };
}

/**
 * The answers of such a settlement were already sent, so its money is missing. The operator must
 * know.
 */
export function reportUnbooked(
  { unbooked }: Pick<ServiceMetrics, 'unbooked'>,
  log: Log,
  stopped: StoppedAccounts,
): (failed: FailedTask) => void {
  return ({ row, task, reason }) => {
    unbooked();
    stopped.note(reason);
    log.error(
      { deferred_row: row, task, reason },
      'a deferred settlement could not be booked; its row is kept, and the audit names it',
    );
  };
}
