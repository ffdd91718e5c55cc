// A refusal by a provider, as a value. Its kind decides about retries, charges and the error that
// the caller receives. It may contain the vendor's JSON, whose depth is limited, because
// serializing a deeply nested value would exhaust the stack.
import type { ProviderId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract/gateway-error';
import { dayMs } from '@trivium/contract/durations';

export type RefusalKind =
  /** The provider asks for fewer requests. */
  | 'rate_limited'
  /** The provider will not serve this request. The same request would fail again. */
  | 'rejected'
  /** The operator's key is wrong or lacks the product. */
  | 'unauthorized'
  /** The operator's account with the provider is used up. */
  | 'out_of_credit'
  /** The provider has a problem and did not do the work. */
  | 'unavailable'
  /** Nothing was sent: the address could not be reached. */
  | 'unreachable'
  /** The request was sent, but no usable answer came. The work may have been done. */
  | 'uncertain'
  /** Nothing was sent: this process has too many calls to the provider in progress. */
  | 'overloaded'
  /** The caller no longer waits for the answer. */
  | 'abandoned';

export interface Refusal {
  kind: RefusalKind;
  message: string;
  /** The provider's own status and body, if it answered at all. */
  status?: number;
  body?: unknown;
  retry_after_ms?: number;
  /** Set if no answer came within the time limit. */
  late?: true;
  /** Set if the answer exceeded the size limit, which may be due to the pages. */
  too_large?: true;
}

/** What a provider answered, read once. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** A long answer in pieces, in place of the text. */
  pieces?: string[];
  /** The parsed JSON, or undefined if the text is not JSON. */
  body: unknown;
}

/**
 * The general meaning of a status. An adapter overrides what its vendor does differently, and adds
 * the seconds to wait that it names in the body.
 */
export function refusalOf(
  reply: Reply,
  message?: string,
  {
    kind = kindOf(reply.status),
    wait_s,
  }: { kind?: RefusalKind | undefined; wait_s?: unknown } = {},
): Refusal {
  const retryAfterMs = retryAfter(reply.headers) ?? secondsToWait(wait_s);
  return {
    kind,
    message: message ?? `the provider answered with status ${reply.status}`,
    status: reply.status,
    body: bodyForCaller(reply),
    ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
  };
}

/** The provider's own body as it may be shown: parsed, or the beginning of its text. */
export function bodyForCaller({ body, text }: Pick<Reply, 'body' | 'text'>): unknown {
  return notTooDeep(body) ?? text.slice(0, maxBodyText);
}

/** The rest of a long error page is cut. */
const maxBodyText = 4096;

function kindOf(status: number): RefusalKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 402) return 'out_of_credit';
  if (status === 429) return 'rate_limited';
  if (status === 408) return 'uncertain';
  return status >= 500 ? 'unavailable' : 'rejected';
}

/** How long the provider asks to wait. Undefined if it does not say. */
export function retryAfter(headers: Headers): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? NaN);
  if (exact >= 0) return Math.min(exact, longestWaitMs);
  const written = headers.get('retry-after');
  return secondsToWait(written) ?? waitUntil(written, headers.get('date'));
}

/** A date is compared with the provider's own clock, which may differ from ours. */
function waitUntil(written: string | null, answeredAt: string | null): number | undefined {
  const waitMs = timeOf(written) - timeOf(answeredAt);
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), longestWaitMs);
}

function timeOf(httpDate: string | null): number {
  return httpDate?.endsWith(' GMT') ? Date.parse(httpDate) : NaN;
}

/** A wait in seconds, as vendors write it in headers and bodies. Undefined if it is invalid. */
export function secondsToWait(written: unknown): number | undefined {
  const seconds = typeof written === 'string' && written !== '' ? Number(written) : written;
  if (typeof seconds !== 'number' || !(seconds >= 0)) return undefined;
  return Math.min(seconds * 1000, longestWaitMs);
}

/** A longer wait is ignored. */
const longestWaitMs = dayMs;

/** The value. Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Far deeper than any vendor's answer. */
const deepest = 200;

/** The value itself, or undefined if it is nested too deeply. Works without recursion. */
function notTooDeep(value: unknown): unknown {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return undefined;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one).filter(isNested) : [],
    );
  }
  return value;
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The error that the caller receives. */
export function providerError(provider: ProviderId, refusal: Refusal): GatewayError {
  const { kind, message, status, body, retry_after_ms } = refusal;
  const detail = { provider, status: status ?? null, body: body ?? null, ...ownFields(body) };
  const headers =
    retry_after_ms === undefined ? {} : { 'retry-after': String(Math.ceil(retry_after_ms / 1000)) };
  const words = `${provider} ${outcomes[kind]}: ${message.replace(/\.$/, '')}.`;
  return kind === 'overloaded'
    ? new GatewayError('provider_not_available', words, detail, {
        status: 503,
        headers,
        cause: refusal,
      })
    : new GatewayError('provider_error', words, detail, { headers, cause: refusal });
}

/** The fields of the vendor's own body, which take precedence over ours with the same name. */
function ownFields(body: unknown): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  return JSON.stringify(body).length > maxRepeatedChars ? {} : body;
}

/** A longer body is returned only in `body`. */
const maxRepeatedChars = 64 * 1024;

/** A vendor's message is often one word. These texts say who has to act. */
const outcomes: Readonly<Record<Refusal['kind'], string>> = {
  rate_limited: 'asks for fewer requests',
  rejected: 'refused the request',
  unauthorized: "refused this deployment's credential",
  out_of_credit: "says that this deployment's account with it is used up",
  unavailable: 'is unavailable',
  unreachable: 'was not reached',
  overloaded: 'was not called',
  uncertain: 'gave no usable answer',
  abandoned: 'was given up',
};
