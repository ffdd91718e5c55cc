// Telemetry: spans of requests and upstream calls, and log records, sent to a collector as OTLP over
// HTTP, in JSON.
import { AsyncLocalStorage } from 'node:async_hooks';
import { boundedQueue, type BoundedQueue } from './bounded-queue.ts';
import { machine } from './machine.ts';
import type { Metrics } from './metrics.ts';

type Signal = 'traces' | 'logs';

export interface OtlpOptions {
  /** The base address of a collector; `/v1/traces` or `/v1/logs` is added. */
  endpoint: string;
  warn: (message: string) => void;
}

const sendTimeoutMs = 5000;

/** No request waits for the collector, and lost items are counted. */
export function makeOtlpQueue<T>(
  signal: Signal,
  { endpoint, warn }: OtlpOptions,
  write: (batch: readonly T[]) => string,
): BoundedQueue<T> {
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/${signal}`;
  const queue = boundedQueue<T>({
    name: signal,
    maxWaiting: 20_000,
    maxBatch: 512,
    everyMs: 2000,
    write: async (batch) => {
      const { rejected, again, reason } = await post(url, write(batch), batch.length);
      if (reason !== undefined) warn(`the collector of ${signal} ${reason}`);
      return again ? 'later' : rejected;
    },
  });
  queues.set(signal, queue.counts);
  return queue;
}

/** What the queues of this process have sent and lost. */
const queues = new Map<Signal, BoundedQueue<unknown>['counts']>();

export function registerOtlp({ total }: Pick<Metrics, 'total'>): void {
  const register = (name: string, help: string, which: 'written' | 'dropped') =>
    total(`trivium_otlp_${name}_total`, help, ['signal'], () =>
      [...queues].map(([signal, counts]) => ({ labels: { signal }, value: counts[which] })),
    );
  register('sent', 'Spans and log records that the collector accepted.', 'written');
  const lost = 'Spans and log records that were lost before they reached the collector.';
  register('lost', lost, 'dropped');
}

/** According to the OTLP specification, these may be sent again. Others are refused permanently. */
const retryable = new Set([429, 502, 503, 504]);

async function post(url: string, body: string, items: number) {
  try {
    const response = await machine.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(sendTimeoutMs),
    });
    const text = await response.text();
    if (response.ok) {
      const rejected = Math.min(items, rejectedIn(text));
      const reason = rejected > 0 ? `rejected ${rejected} of ${items} items` : undefined;
      return { rejected, again: false, reason };
    }
    const reason = `answered with status ${response.status}`;
    return { rejected: items, again: retryable.has(response.status), reason };
  } catch {
    return { rejected: items, again: true, reason: 'cannot be reached' };
  }
}

/** A collector may accept some items and refuse others. */
function rejectedIn(text: string): number {
  try {
    const answer: unknown = JSON.parse(text);
    const { partialSuccess } = (answer ?? {}) as { partialSuccess?: Record<string, unknown> };
    const { rejectedLogRecords, rejectedSpans } = partialSuccess ?? {};
    const rejected = Number(rejectedLogRecords ?? rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}

/** A whole number that has decimals in other records is a `double`, for databases. */
type AttributeValue = string | number | boolean | { double: number };

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** The resource and scope of every batch. */
export function resourceOf(serviceName: string): object {
  return { attributes: attributeList({ 'service.name': serviceName }) };
}

export const scope = { name: 'trivium' };

export function attributeList(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'object') return { doubleValue: value.double };
  return { intValue: String(value) };
}

const nsPerMs = 1_000_000n;

/** As text, because nanoseconds exceed the precision of a JSON number. */
export function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  const rest = Math.round((ms - whole) * 1e6);
  return (BigInt(whole) * nsPerMs + BigInt(rest)).toString();
}

/** Adds attributes to a span, and marks it as failed. */
type Describe = (attributes: Attributes, failed?: boolean) => void;

interface TracingOptions extends OtlpOptions {
  serviceName: string;
  /** If false, the spans of requests only provide context for their log records. */
  isExported: boolean;
}

export type Tracing = ReturnType<typeof startTracing>;

export function startTracing({ serviceName, isExported, ...options }: TracingOptions) {
  const queue = isExported
    ? makeOtlpQueue<Span>('traces', options, (spans) => otlpBody(serviceName, spans))
    : undefined;
  const scopes = makeAsyncScope<TraceContext>();
  /** The context of the span in which the caller runs. */
  const current = () => scopes.getStore();
  return {
    /** Runs work as a child span of `parent`, by default of the current span. */
    span: async <T>(
      name: string,
      kind: Span['kind'],
      work: (context: TraceContext, describe: Describe) => Promise<T>,
      parent = current(),
    ) => {
      const context: TraceContext = {
        traceId: parent?.traceId ?? machine.randomBytes(16).toString('hex'),
        spanId: machine.randomBytes(8).toString('hex'),
        sampled: parent?.sampled ?? true,
      };
      const span: Span = {
        ...{ context, parent, name, kind, beganMs: epochMs(), endedMs: 0 },
        ...{ attributes: {}, failed: false },
      };
      const describe: Describe = (attributes, failed = false) => {
        Object.assign(span.attributes, attributes);
        span.failed ||= failed;
      };
      try {
        return await scopes.run(context, () => work(context, describe));
      } catch (error) {
        span.failed = true;
        throw error;
      } finally {
        span.endedMs = epochMs();
        if (context.sampled) queue?.add(span);
      }
    },
    current,
    stop: async () => queue?.stop(),
  };
}

function epochMs(): number {
  return performance.timeOrigin + machine.ticks();
}

interface Span {
  context: TraceContext;
  parent: TraceContext | undefined;
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
        resource: resourceOf(serviceName),
        scopeSpans: [{ scope, spans: spans.map(spanOf) }],
      },
    ],
  });
}

const kinds = { server: 2, client: 3 } as const;
const failedStatus = 2;

function spanOf(span: Span): object {
  return {
    traceId: span.context.traceId,
    spanId: span.context.spanId,
    ...(span.parent && { parentSpanId: span.parent.spanId }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(span.beganMs),
    endTimeUnixNano: nanoseconds(span.endedMs),
    attributes: attributeList(span.attributes),
    ...(span.failed ? { status: { code: failedStatus } } : {}),
  };
}

export interface TraceContext {
  /** 32 hex digits, shared by all spans of a trace. */
  traceId: string;
  /** 16 hex digits, of one span. */
  spanId: string;
  sampled: boolean;
  /** The request that the span belongs to. */
  http?: { method: string; route: string };
}

/** Undefined for a missing or invalid header. The standard then requires a new trace. */
export function readTraceparent(header: string | null): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] = pattern.exec(header ?? '') ?? [];
  if (version === undefined || version === 'ff') return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** A value that everything called from one function can read, even after an await. */
export function makeAsyncScope<T>(): AsyncLocalStorage<T> {
  return new AsyncLocalStorage<T>();
}

// Later versions may append fields.
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
