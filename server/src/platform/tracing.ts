// Tracing: spans of requests and upstream calls, for a collector.
import { AsyncLocalStorage } from 'node:async_hooks';
import { machine } from './machine.ts';
import { attributeList, makeOtlpQueue, nanoseconds, resourceOf, scope } from './otlp.ts';
import type { OtlpOptions } from './otlp.ts';

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
  /** The context of the span in which the caller runs. */
  current: () => TraceContext | undefined;
  stop: () => Promise<void>;
}

interface TracingOptions extends OtlpOptions {
  serviceName: string;
  /** If false, the spans of requests only provide context for their log records. */
  isExported: boolean;
}

export function startTracing({ serviceName, isExported, ...options }: TracingOptions): Tracing {
  const queue = isExported
    ? makeOtlpQueue<Span>('traces', options, (spans) => otlpBody(serviceName, spans))
    : undefined;
  const current = new AsyncLocalStorage<TraceContext>();
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
        if (context.sampled) queue?.add(span);
      }
    },
    current: () => current.getStore(),
    stop: async () => queue?.stop(),
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

// Later versions may append fields.
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
