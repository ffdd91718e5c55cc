// The JSON form of OTLP traces, as collectors take it.

export type Attributes = Record<string, string | number>;

export interface Span {
  trace_id: string;
  span_id: string;
  parent_span_id?: string;
  name: string;
  kind: 'server' | 'client';
  began_ms: number;
  ended_ms: number;
  attributes: Attributes;
  failed: boolean;
}

export function otlpBody(service_name: string, spans: readonly Span[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributeList({ 'service.name': service_name }) },
        scopeSpans: [{ scope: { name: 'trivium' }, spans: spans.map(spanOf) }],
      },
    ],
  });
}

const kinds = { server: 2, client: 3 } as const;
const failed_status = 2;
const ns_per_ms = 1_000_000n;

function spanOf(span: Span): object {
  return {
    traceId: span.trace_id,
    spanId: span.span_id,
    ...(span.parent_span_id === undefined ? {} : { parentSpanId: span.parent_span_id }),
    name: span.name,
    kind: kinds[span.kind],
    startTimeUnixNano: nanoseconds(span.began_ms),
    endTimeUnixNano: nanoseconds(span.ended_ms),
    attributes: attributeList(span.attributes),
    ...(span.failed ? { status: { code: failed_status } } : {}),
  };
}

/** A time in nanoseconds does not fit a JSON number, so OTLP takes it as text. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  const rest = Math.round((ms - whole) * 1e6);
  return (BigInt(whole) * ns_per_ms + BigInt(rest)).toString();
}

function attributeList(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}
