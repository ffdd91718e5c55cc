// W3C trace context: the `traceparent` header, which links the spans of several systems.

export interface TraceContext {
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
