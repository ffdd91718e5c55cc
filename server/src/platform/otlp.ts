// Traces in the JSON encoding of OTLP.

export type Attributes = Record<string, string | number>;

export interface Span {
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

export function otlpBody(serviceName: string, spans: readonly Span[]): string {
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
