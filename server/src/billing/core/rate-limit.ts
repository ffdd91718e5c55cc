// The rate limit of a key, per minute. It is counted in the store, so all gateways share it.

/** A key within an account. The dashboard's key has the same id in every account. */
export interface KeyOfAccount {
  account_id: string;
  key_id: string;
}

export interface KeyMinute extends KeyOfAccount {
  requests: number;
}

/** The counts of the current minute, as one batch sees them. */
export interface RateLimit {
  per_minute: number;
  /** By account and key, see `rateLimitKey`. */
  keys: Map<string, KeyMinute>;
  /** Differences, not sums. */
  changes: Map<string, KeyMinute>;
}

export interface RateLimited {
  kind: 'rate_limited';
  per_minute: number;
  retry_after_s: number;
}

const minuteMs = 60_000;

/** Minutes since 1970. */
export function minuteOf(at: number): number {
  return Math.floor(at / minuteMs);
}

export function openRateLimit(perMinute: number): RateLimit {
  return { per_minute: perMinute, keys: new Map(), changes: new Map() };
}

export function rateLimitKey({ account_id, key_id }: KeyOfAccount): string {
  return `${account_id} ${key_id}`;
}

/** Undefined while the key has a request left in this minute. */
export function rateLimited(
  rateLimit: RateLimit | undefined,
  by: Requester,
  now: number,
): RateLimited | undefined {
  if (!rateLimit || by.key_id === null) return undefined;
  const { keys, per_minute } = rateLimit;
  const made = keys.get(rateLimitKey({ ...by, key_id: by.key_id }))?.requests ?? 0;
  if (made < per_minute) return undefined;
  const retryAfterS = Math.ceil((minuteMs - (now % minuteMs)) / 1000);
  return { kind: 'rate_limited', per_minute, retry_after_s: retryAfterS };
}

export function countRequest(
  rateLimit: RateLimit | undefined,
  { account_id, key_id }: Requester,
): void {
  if (!rateLimit || key_id === null) return;
  const place = rateLimitKey({ account_id, key_id });
  for (const counts of [rateLimit.keys, rateLimit.changes]) {
    const requests = (counts.get(place)?.requests ?? 0) + 1;
    counts.set(place, { account_id, key_id, requests });
  }
}

interface Requester {
  account_id: string;
  /** Null for a request without a key, which has no limit. */
  key_id: string | null;
}
