// Credential rotation: several credentials of one provider are used in turn, and a refused one is
// suspended for a while.
import type { RefusalKind } from './refusal.ts';

export interface Credentials {
  keys: readonly string[];
  /** Until when each credential is suspended, by its position. */
  restsUntil: readonly number[];
  /** The position of the next one. */
  next: number;
}

/** A rate limit passes soon. For a wrong or exhausted key, the operator has to act. */
export const rateLimitRestMs = 5_000;
export const longestRateLimitRestMs = 60_000;
export const refusedRestMs = 300_000;

export function makeCredentials(keys: readonly string[]): Credentials {
  return { keys, restsUntil: keys.map(() => 0), next: 0 };
}

/** The next credential that is not suspended. If all are, the one whose suspension ends first. */
export function takeKey(
  credentials: Credentials,
  now: number,
): { key: string | undefined; credentials: Credentials } {
  const { keys, restsUntil, next } = credentials;
  let best = next;
  for (let step = 0; step < keys.length; step += 1) {
    const position = (next + step) % keys.length;
    if ((restsUntil[position] ?? 0) <= now) {
      best = position;
      break;
    }
    if ((restsUntil[position] ?? 0) < (restsUntil[best] ?? 0)) best = position;
  }
  const after = keys.length === 0 ? 0 : (best + 1) % keys.length;
  return { key: keys[best], credentials: { ...credentials, next: after } };
}

/** True if a refusal concerns the credential, so that another one may succeed. */
export function isAboutKey(kind: RefusalKind): boolean {
  return kind === 'rate_limited' || kind === 'out_of_credit' || kind === 'unauthorized';
}

export function restKey(
  credentials: Credentials,
  key: string | undefined,
  kind: RefusalKind,
  retryAfterMs: number | undefined,
  now: number,
): Credentials {
  const position = key === undefined ? -1 : credentials.keys.indexOf(key);
  if (position < 0 || !isAboutKey(kind)) return credentials;
  const restMs =
    kind === 'rate_limited'
      ? Math.min(retryAfterMs ?? rateLimitRestMs, longestRateLimitRestMs)
      : refusedRestMs;
  return { ...credentials, restsUntil: credentials.restsUntil.with(position, now + restMs) };
}

/** True if another credential can be used now. */
export function hasOtherKey(credentials: Credentials, key: string, now: number): boolean {
  return credentials.keys.some(
    (other, position) => other !== key && (credentials.restsUntil[position] ?? 0) <= now,
  );
}

export function restingCount({ restsUntil }: Credentials, now: number): number {
  return restsUntil.filter((until) => until > now).length;
}
