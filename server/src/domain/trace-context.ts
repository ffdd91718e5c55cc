// W3C trace context: the header `traceparent`, by which one trace spans several systems.

export interface TraceContext {
  /** 32 hex digits, shared by everything that one request causes. */
  trace_id: string;
  /** 16 hex digits, of the one that called. */
  span_id: string;
  sampled: boolean;
}

/** Undefined for a header that is missing or not valid; the standard says to start anew then. */
export function readTraceparent(header: string | null): TraceContext | undefined {
  const [, version, trace_id = '', span_id = '', flags = ''] = pattern.exec(header ?? '') ?? [];
  if (version === undefined || version === 'ff') return undefined;
  if (/^0+$/.test(trace_id) || /^0+$/.test(span_id)) return undefined;
  return { trace_id, span_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceparent({ trace_id, span_id, sampled }: TraceContext): string {
  return `00-${trace_id}-${span_id}-${sampled ? '01' : '00'}`;
}

// Later versions may add fields behind these four.
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
