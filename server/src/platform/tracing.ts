// Traces, when asked for: spans of requests and upstream calls, sent in batches as OTLP over HTTP.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { type Attributes, otlpBody, type Span } from './otlp.ts';

export type { Span };

/** Where a span hangs: the trace it belongs to, and its own place in it. */
export interface Place {
  trace_id: string;
  span_id: string;
  sampled: boolean;
}

export interface Tracing {
  /** Runs work as one span below `parent`, or below the span it is called in. */
  span: <T>(
    name: string,
    kind: Span['kind'],
    work: (place: Place, tell: (attributes: Attributes, failed?: boolean) => void) => Promise<T>,
    parent?: Place,
  ) => Promise<T>;
  stop: () => Promise<void>;
}

export interface TracingOptions {
  /** The base address of an OTLP collector; `/v1/traces` is added. */
  endpoint: string;
  service_name: string;
  warn: (message: string) => void;
}

const send_every_ms = 2000;
const most_waiting = 10_000;
const most_in_batch = 512;
const send_timeout_ms = 5000;
/** Stopping sends what is left, but not for ever. */
const most_batches_at_stop = 20;

export function startTracing({ endpoint, service_name, warn }: TracingOptions): Tracing {
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
  const here = new AsyncLocalStorage<Place>();
  const waiting: Span[] = [];
  let sending: Promise<void> | undefined;
  const sendBatch = async () => {
    const batch = waiting.splice(0, most_in_batch);
    if (batch.length === 0) return;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: otlpBody(service_name, batch),
        signal: AbortSignal.timeout(send_timeout_ms),
      });
      if (!response.ok) warn(`the collector of traces answered with status ${response.status}`);
    } catch {
      warn('the collector of traces cannot be reached; some traces are lost');
    }
  };
  const flush = () => (sending ??= sendBatch().finally(() => (sending = undefined)));
  const timer = setInterval(() => void flush(), send_every_ms);
  return {
    span: async (name, kind, work, parent = here.getStore()) => {
      const place = childOf(parent);
      const span = startSpan(name, kind, place, parent);
      const tell = (attributes: Attributes, failed = false) => {
        Object.assign(span.attributes, attributes);
        span.failed ||= failed;
      };
      try {
        return await here.run(place, () => work(place, tell));
      } catch (error) {
        span.failed = true;
        throw error;
      } finally {
        span.ended_ms = epochMs();
        // When the collector is slow, new spans are dropped rather than kept without bound.
        if (place.sampled && waiting.length < most_waiting) waiting.push(span);
      }
    },
    stop: async () => {
      clearInterval(timer);
      for (let batch = 0; batch < most_batches_at_stop && waiting.length > 0; batch += 1) {
        await flush();
      }
    },
  };
}

function childOf(parent: Place | undefined): Place {
  return {
    trace_id: parent?.trace_id ?? randomBytes(16).toString('hex'),
    span_id: randomBytes(8).toString('hex'),
    sampled: parent?.sampled ?? true,
  };
}

function startSpan(
  name: string,
  kind: Span['kind'],
  { trace_id, span_id }: Place,
  parent: Place | undefined,
): Span {
  return {
    trace_id,
    span_id,
    ...(parent ? { parent_span_id: parent.span_id } : {}),
    name,
    kind,
    began_ms: epochMs(),
    ended_ms: 0,
    attributes: {},
    failed: false,
  };
}

function epochMs(): number {
  return performance.timeOrigin + performance.now();
}
