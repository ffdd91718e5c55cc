// Several credentials of one provider: used in turn; one that was refused rests while others serve.
import type { RefusalKind } from '../refusal.ts';

export interface Credentials {
  keys: readonly string[];
  /** Until when each of them rests, by its position. */
  rests_until: readonly number[];
  /** Whose turn it is. */
  next: number;
}

/** A rate limit passes soon; a wrong or exhausted key needs somebody to act. */
export const rate_limit_rest_ms = 5_000;
export const longest_rate_limit_rest_ms = 60_000;
export const refused_rest_ms = 300_000;

export function makeCredentials(keys: readonly string[]): Credentials {
  return { keys, rests_until: keys.map(() => 0), next: 0 };
}

/** The next one that is not resting; when all rest, the one that rests the least. */
export function takeKey(
  credentials: Credentials,
  now: number,
): { key: string | undefined; credentials: Credentials } {
  const { keys, rests_until, next } = credentials;
  let best = next;
  for (let step = 0; step < keys.length; step += 1) {
    const position = (next + step) % keys.length;
    if ((rests_until[position] ?? 0) <= now) {
      best = position;
      break;
    }
    if ((rests_until[position] ?? 0) < (rests_until[best] ?? 0)) best = position;
  }
  const after = keys.length === 0 ? 0 : (best + 1) % keys.length;
  return { key: keys[best], credentials: { ...credentials, next: after } };
}

/** Whether a refusal is about the key it came with, so that another key may do better. */
export function isAboutKey(kind: RefusalKind): boolean {
  return kind === 'rate_limited' || kind === 'out_of_credit' || kind === 'unauthorized';
}

export function restKey(
  credentials: Credentials,
  key: string | undefined,
  kind: RefusalKind,
  retry_after_ms: number | undefined,
  now: number,
): Credentials {
  const position = key === undefined ? -1 : credentials.keys.indexOf(key);
  if (position < 0 || !isAboutKey(kind)) return credentials;
  const rest_ms =
    kind === 'rate_limited'
      ? Math.min(retry_after_ms ?? rate_limit_rest_ms, longest_rate_limit_rest_ms)
      : refused_rest_ms;
  return { ...credentials, rests_until: credentials.rests_until.with(position, now + rest_ms) };
}

/** Whether some key other than this one is free to be used now. */
export function hasOtherKey(credentials: Credentials, key: string, now: number): boolean {
  return credentials.keys.some(
    (other, position) => other !== key && (credentials.rests_until[position] ?? 0) <= now,
  );
}

export function restingCount({ rests_until }: Credentials, now: number): number {
  return rests_until.filter((until) => until > now).length;
}
