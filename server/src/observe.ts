// How the gateway is watched: metrics always, traces when asked for, put around requests and calls.
import { readTraceparent, writeTraceparent } from './domain/trace-context.ts';
import type { AppDevices } from './http/app.ts';
import type { Send } from './platform/http.ts';
import type { Log } from './platform/log.ts';
import { makeMetrics } from './platform/metrics.ts';
import type { Meter, Metrics } from './platform/metrics.ts';
import type { Settings } from './platform/settings.ts';
import { startTracing } from './platform/tracing.ts';
import type { Tracing } from './platform/tracing.ts';

export interface Observers {
  metrics: Metrics;
  watchRequest: AppDevices['watch'];
  /** The way out, with a span around each call when traces are on. */
  watchSend: (send: Send) => Send;
  stop: () => Promise<void>;
}

export function makeObservers({ otlp_endpoint, otel_service_name }: Settings, log: Log): Observers {
  const metrics = makeMetrics();
  const tracing =
    otlp_endpoint === undefined
      ? undefined
      : startTracing({
          endpoint: otlp_endpoint,
          service_name: otel_service_name,
          warn: (message) => log.warn(message),
        });
  return {
    metrics,
    watchRequest: requestWatcher(metrics, tracing, log),
    watchSend: (send) => (tracing ? tracedSend(tracing, send) : send),
    stop: async () => tracing?.stop(),
  };
}

const slow_after_ms = 10_000;

function requestWatcher(
  metrics: Metrics,
  tracing: Tracing | undefined,
  log: Log,
): AppDevices['watch'] {
  let running = 0;
  metrics.gauge('trivium_requests_running', 'Requests under way.', [], () => [
    { labels: {}, value: running },
  ]);
  return (route) => {
    const meter = metrics.meter('request', route);
    const timed = async (work: () => Promise<Response>): Promise<Response> => {
      const began = performance.now();
      running += 1;
      try {
        const response = await work();
        tell(meter, log, route, response, performance.now() - began);
        return response;
      } finally {
        running -= 1;
      }
    };
    if (!tracing) return (_request, work) => timed(work);
    return (request, work) => timed(() => tracedRequest(tracing, route, request, work));
  };
}

/** Never what was asked or answered, nor who asked: the request log tells that by the id. */
function tell(meter: Meter, log: Log, route: string, { status, headers }: Response, ms: number) {
  meter(String(status), ms);
  const level = status >= 500 || ms > slow_after_ms ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const request_id = headers.get('x-request-id');
  log[level]({ request_id, route, status, ms: Math.round(ms) }, 'request');
}

function tracedRequest(
  tracing: Tracing,
  route: string,
  request: Request,
  work: () => Promise<Response>,
): Promise<Response> {
  const parent = readTraceparent(request.headers.get('traceparent'));
  return tracing.span(
    route,
    'server',
    async (_place, describe) => {
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

function tracedSend(tracing: Tracing, send: Send): Send {
  return (outgoing) => {
    const { host, pathname } = new URL(outgoing.url);
    return tracing.span(`${outgoing.method} ${host}`, 'client', async (place, describe) => {
      const headers = { ...outgoing.headers, traceparent: writeTraceparent(place) };
      const sent = await send({ ...outgoing, headers });
      const attributes = { 'server.address': host, 'url.path': pathname };
      if (sent.ok) describe({ ...attributes, 'http.response.status_code': sent.status });
      else describe({ ...attributes, 'error.type': sent.failure }, true);
      return sent;
    });
  };
}
