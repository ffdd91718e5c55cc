// The rate limits of a key and of a whole account: requests per minute, and concurrent requests.
// Both are counted in the store, so all gateways share them.
import { minuteMs } from '@trivium/contract/durations';
import { GatewayError } from '@trivium/contract/gateway-error';

/** A key within an account. The dashboard's key has the same id in every account. */
export interface KeyOfAccount {
  account_id: string;
  /** Empty for the whole account. */
  key_id: string;
}

export interface KeyMinute extends KeyOfAccount {
  requests: number;
}

/** An absent field means no limit. */
export interface RequestLimit {
  per_minute?: number;
  at_once?: number;
}

/** The limits of a request. */
export interface RequestLimits {
  key?: RequestLimit;
  account?: RequestLimit;
}

/** The counts of the current minute and of the requests in progress, as one batch sees them. */
export interface RateLimit {
  /** The operator's setting for every key. */
  per_key_minute: number | undefined;
  /** By account and key, see `rateLimitKey`. */
  keys: Map<string, KeyMinute>;
  /** Differences, not totals. */
  changes: Map<string, KeyMinute>;
  /** Requests in progress, by account and key. */
  running: Map<string, number>;
}

export interface RateLimited {
  kind: 'rate_limited';
  whose: 'key' | 'account';
  /** The limit that was reached. */
  limit: { per_minute: number } | { at_once: number };
  retry_after_s: number;
}

export interface Requester {
  account_id: string;
  /** Null for a request without a key, which has no limit. */
  key_id: string | null;
  limits?: RequestLimits | undefined;
}

/** A counter that a request is checked against. */
export interface Counter extends KeyOfAccount, RequestLimit {
  whose: 'key' | 'account';
}

/** A request in progress may end at any moment. */
const atOnceRetryS = 1;

/** Minutes since 1970. */
export function minuteOf(at: number): number {
  return Math.floor(at / minuteMs);
}

export function openRateLimit(perKeyMinute: number | undefined): RateLimit {
  return {
    per_key_minute: perKeyMinute,
    keys: new Map(),
    changes: new Map(),
    running: new Map(),
  };
}

export function rateLimitKey({ account_id, key_id }: KeyOfAccount): string {
  return `${account_id} ${key_id}`;
}

/** The counters of a request. Empty if nothing limits it. */
export function countersOf(perKeyMinute: number | undefined, by: Requester): Counter[] {
  const { account_id, key_id, limits } = by;
  if (key_id === null) return [];
  const counters: Counter[] = [];
  if (limits?.account) {
    counters.push({ account_id, key_id: '', whose: 'account', ...limits.account });
  }
  const perMinute = Math.min(perKeyMinute ?? Infinity, limits?.key?.per_minute ?? Infinity);
  const ofKey = {
    ...limits?.key,
    ...(Number.isFinite(perMinute) ? { per_minute: perMinute } : {}),
  };
  if (Object.keys(ofKey).length > 0) counters.push({ account_id, key_id, whose: 'key', ...ofKey });
  return counters;
}

/** The counters of a request that have a limit per minute. */
export function minuteCounters(...of: Parameters<typeof countersOf>): Counter[] {
  return countersOf(...of).filter(({ per_minute }) => per_minute !== undefined);
}

/** Undefined while every counter has at least one request left. */
export function rateLimited(
  rateLimit: RateLimit | undefined,
  by: Requester,
  now: number,
): RateLimited | undefined {
  if (!rateLimit) return undefined;
  for (const counter of countersOf(rateLimit.per_key_minute, by)) {
    const { whose, per_minute, at_once } = counter;
    const place = rateLimitKey(counter);
    if (per_minute !== undefined && (rateLimit.keys.get(place)?.requests ?? 0) >= per_minute) {
      return minuteLimited({ whose, per_minute }, now);
    }
    if (at_once !== undefined && (rateLimit.running.get(place) ?? 0) >= at_once) {
      return { kind: 'rate_limited', whose, limit: { at_once }, retry_after_s: atOnceRetryS };
    }
  }
  return undefined;
}

/** The limit per minute is reached until the minute ends. */
export function minuteLimited(
  { whose, per_minute = 0 }: Pick<Counter, 'whose' | 'per_minute'>,
  now: number,
): RateLimited {
  const retryAfterS = Math.ceil((minuteMs - (now % minuteMs)) / 1000);
  return { kind: 'rate_limited', whose, limit: { per_minute }, retry_after_s: retryAfterS };
}

export function countRequest(rateLimit: RateLimit | undefined, by: Requester): void {
  if (!rateLimit) return;
  for (const { account_id, key_id, per_minute } of countersOf(rateLimit.per_key_minute, by)) {
    if (per_minute === undefined) continue;
    const place = rateLimitKey({ account_id, key_id });
    for (const counts of [rateLimit.keys, rateLimit.changes]) {
      const requests = (counts.get(place)?.requests ?? 0) + 1;
      counts.set(place, { account_id, key_id, requests });
    }
  }
}

/** True if the request counts as a request in progress while its hold is open. */
export function isLimitedAtOnce({ limits }: Requester): boolean {
  return limits?.key?.at_once !== undefined || limits?.account?.at_once !== undefined;
}

/** Counts a request that begins (1) or ends (-1), if it is counted at all. */
export function countRunning(
  rateLimit: RateLimit | undefined,
  { account_id, key_id }: Requester,
  change: 1 | -1,
): void {
  if (!rateLimit || key_id === null) return;
  for (const counted of [key_id, '']) {
    const place = rateLimitKey({ account_id, key_id: counted });
    rateLimit.running.set(place, (rateLimit.running.get(place) ?? 0) + change);
  }
}

export function rateLimitError({ whose, limit, retry_after_s }: RateLimited): GatewayError {
  const [words, detail] =
    'per_minute' in limit
      ? [`${limit.per_minute} requests per minute`, { requests_per_minute: limit.per_minute }]
      : [`${limit.at_once} requests at once`, { requests_at_once: limit.at_once }];
  return new GatewayError(
    'rate_limited',
    `This ${whose} has reached its limit of ${words}. Try again in ${retry_after_s} s, or ` +
      'have the limit raised. Nothing was charged.',
    { ...detail, limit_of: whose, retry_after_s },
    { headers: { 'retry-after': String(retry_after_s) } },
  );
}

/** How many rows an account has left, and when this was last updated. */
export interface LogAllowance {
  rows: number;
  at: number;
}

/** In one burst: enough to investigate a fault. */
export const maxRows = 300;
/** Added per minute. */
export const rowsPerMinute = 20;

/** Undefined if the refusal is not logged. */
export function takeRow(before: LogAllowance | undefined, now: number): LogAllowance | undefined {
  const { rows, at } = before ?? { rows: maxRows, at: now };
  const grown = (Math.max(0, now - at) / minuteMs) * rowsPerMinute;
  const left = Math.min(maxRows, rows + grown);
  return left < 1 ? undefined : { rows: left - 1, at: now };
}
