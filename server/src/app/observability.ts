// Observability: metrics and a log line for every request, and traces of requests and upstream
// calls if the operator configures a collector.
import { Gauge } from 'prom-client';
import type { AppDependencies } from '../http/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { Send } from '../platform/http-client.ts';
import type { Log } from '../platform/log.ts';
import { machine } from '../platform/machine.ts';
import { makeMetrics, measureEventLoop } from '../platform/metrics.ts';
import type { Meter, Metrics } from '../platform/metrics.ts';
import type { Ledger } from '../billing/index.ts';
import type { Settings } from '../settings/index.ts';
import { exportingLedger, type RequestEvents, startRequestEvents } from './request-events.ts';
import {
  readTraceparent,
  registerOtlp,
  startTracing,
  writeTraceparent,
} from '../platform/telemetry.ts';
import type { Tracing } from '../platform/telemetry.ts';

export interface Observability {
  metrics: Metrics;
  observeRequest: AppDependencies['observe'];
  /** Wraps each upstream call in a span if tracing is on. */
  observeSend: (send: Send) => Send;
  /** Sends an event for each row of the request log if the operator asks for it. */
  observeLedger: (ledger: Ledger) => Ledger;
  stop: () => Promise<void>;
}

export function makeObservability(settings: Settings, log: Log): Observability {
  const metrics = makeMetrics();
  const { tracing, events } = startExports(settings, log);
  if (tracing) registerOtlp(metrics);
  const eventLoop = measureEventLoop(metrics, systemClock);
  return {
    metrics,
    observeRequest: makeRequestObserver(metrics, tracing, log),
    observeSend: (send) => (tracing ? traceSend(tracing, send) : send),
    observeLedger: (ledger) => (events ? exportingLedger(ledger, events) : ledger),
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
): AppDependencies['observe'] {
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
