// How often a key may ask within a minute, counted in the book: all gateways count together.

/** An account's use of one key. The dashboard's key has the same id in every account. */
export interface KeyOfAccount {
  account_id: string;
  key_id: string;
}

export interface KeyMinute extends KeyOfAccount {
  requests: number;
}

/** What one batch knows of the present minute. */
export interface Pace {
  per_minute: number;
  /** By account and key, see `pacePlace`. */
  keys: Map<string, KeyMinute>;
  /** Differences, not sums. */
  changes: Map<string, KeyMinute>;
}

export interface TooOften {
  kind: 'too_often';
  per_minute: number;
  retry_after_s: number;
}

const minute_ms = 60_000;

/** Minutes since 1970. */
export function minuteOf(at: number): number {
  return Math.floor(at / minute_ms);
}

export function openPace(per_minute: number): Pace {
  return { per_minute, keys: new Map(), changes: new Map() };
}

export function pacePlace({ account_id, key_id }: KeyOfAccount): string {
  return `${account_id} ${key_id}`;
}

/** Undefined while the key has a request left in this minute. */
export function tooOften(pace: Pace | undefined, by: Asker, now: number): TooOften | undefined {
  if (!pace || by.key_id === null) return undefined;
  const { keys, per_minute } = pace;
  const made = keys.get(pacePlace({ ...by, key_id: by.key_id }))?.requests ?? 0;
  if (made < per_minute) return undefined;
  const retry_after_s = Math.ceil((minute_ms - (now % minute_ms)) / 1000);
  return { kind: 'too_often', per_minute, retry_after_s };
}

export function countRequest(pace: Pace | undefined, { account_id, key_id }: Asker): void {
  if (!pace || key_id === null) return;
  const place = pacePlace({ account_id, key_id });
  for (const counts of [pace.keys, pace.changes]) {
    const requests = (counts.get(place)?.requests ?? 0) + 1;
    counts.set(place, { account_id, key_id, requests });
  }
}

interface Asker {
  account_id: string;
  /** Null for what is asked without a key, which has no limit. */
  key_id: string | null;
}
