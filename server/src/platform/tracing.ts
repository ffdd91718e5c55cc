// Tracing: spans of requests and upstream calls, sent to a collector in batches, as OTLP over HTTP.
import { AsyncLocalStorage } from 'node:async_hooks';
import { every } from './every.ts';
import { machine } from './machine.ts';

/** Adds attributes to a span, and marks it as failed. */
type Describe = (attributes: Attributes, failed?: boolean) => void;

export interface Tracing {
  /** Runs work as a child span of `parent`, by default of the current span. */
  span: <T>(
    name: string,
    kind: Span['kind'],
    work: (context: TraceContext, describe: Describe) => Promise<T>,
    parent?: TraceContext,
  ) => Promise<T>;
  stop: () => Promise<void>;
}

interface TracingOptions {
  /** The base address of an OTLP collector; `/v1/traces` is added. */
  endpoint: string;
  serviceName: string;
  warn: (message: string) => void;
}

const sendEveryMs = 2000;
const maxWaiting = 10_000;
const maxBatchSpans = 512;
const sendTimeoutMs = 5000;
/** A stop sends the remaining spans, within this bound. */
const maxBatchesAtStop = 20;

export function startTracing({ endpoint, serviceName, warn }: TracingOptions): Tracing {
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
  const current = new AsyncLocalStorage<TraceContext>();
  const waiting: Span[] = [];
  let sending: Promise<void> | undefined;
  const sendBatch = async () => {
    const batch = waiting.splice(0, maxBatchSpans);
    if (batch.length === 0) return;
    try {
      const response = await machine.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: otlpBody(serviceName, batch),
        signal: AbortSignal.timeout(sendTimeoutMs),
      });
      if (!response.ok) warn(`the trace collector answered with status ${response.status}`);
    } catch {
      warn('the trace collector cannot be reached; some traces are lost');
    }
  };
  const flush = () => (sending ??= sendBatch().finally(() => (sending = undefined)));
  const repeated = every(sendEveryMs, { name: 'traces', work: flush });
  return {
    span: async (name, kind, work, parent = current.getStore()) => {
      const context = childOf(parent);
      const span = startSpan(name, kind, context, parent);
      const describe: Describe = (attributes, failed = false) => {
        Object.assign(span.attributes, attributes);
        span.failed ||= failed;
      };
      try {
        return await current.run(context, () => work(context, describe));
      } catch (error) {
        span.failed = true;
        throw error;
      } finally {
        span.endedMs = epochMs();
        // New spans are dropped when the collector is too slow.
        if (context.sampled && waiting.length < maxWaiting) waiting.push(span);
      }
    },
    stop: async () => {
      repeated.stop();
      for (let batch = 0; batch < maxBatchesAtStop && waiting.length > 0; batch += 1) {
        await flush();
      }
    },
  };
}

function childOf(parent: TraceContext | undefined): TraceContext {
  return {
    traceId: parent?.traceId ?? machine.randomBytes(16).toString('hex'),
    spanId: machine.randomBytes(8).toString('hex'),
    sampled: parent?.sampled ?? true,
  };
}

function startSpan(
  name: string,
  kind: Span['kind'],
  { traceId, spanId }: TraceContext,
  parent: TraceContext | undefined,
): Span {
  return {
    traceId,
    spanId,
    ...(parent ? { parentSpanId: parent.spanId } : {}),
    name,
    kind,
    beganMs: epochMs(),
    endedMs: 0,
    attributes: {},
    failed: false,
  };
}

function epochMs(): number {
  return performance.timeOrigin + machine.ticks();
}

type Attributes = Record<string, string | number>;

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: 'server' | 'client';
  beganMs: number;
  endedMs: number;
  attributes: Attributes;
  failed: boolean;
}

function otlpBody(serviceName: string, spans: readonly Span[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributeList({ 'service.name': serviceName }) },
        scopeSpans: [{ scope: { name: 'trivium' }, spans: spans.map(spanOf) }],
      },
    ],
  });
}

const kinds = { server: 2, client: 3 } as const;
const failedStatus = 2;
const nsPerMs = 1_000_000n;

function spanOf(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(span.beganMs),
    endTimeUnixNano: nanoseconds(span.endedMs),
    attributes: attributeList(span.attributes),
    ...(span.failed ? { status: { code: failedStatus } } : {}),
  };
}

/** As text, because nanoseconds exceed the precision of a JSON number. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  const rest = Math.round((ms - whole) * 1e6);
  return (BigInt(whole) * nsPerMs + BigInt(rest)).toString();
}

function attributeList(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}

interface TraceContext {
  /** 32 hex digits, shared by all spans of a trace. */
  traceId: string;
  /** 16 hex digits, of one span. */
  spanId: string;
  sampled: boolean;
}

/** Undefined for a missing or invalid header: the standard then starts a new trace. */
export function readTraceparent(header: string | null): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] = pattern.exec(header ?? '') ?? [];
  if (version === undefined || version === 'ff') return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

// Later versions may append fields.
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
