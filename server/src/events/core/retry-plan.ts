// Decides when a delivery is sent again: exponential pauses with jitter, for 24 hours from the
// first attempt.
import { dayMs, hourMs } from '@trivium/contract/durations';

const retryForMs = dayMs;
const firstPauseMs = 5000;
const pauseFactor = 3;
const longestPauseMs = 3 * hourMs;
/** A pause is shorter or longer by up to this share, so that many deliveries do not coincide. */
const jitter = 0.2;

interface Attempted {
  /** Including the one that just failed. */
  attempts: number;
  first_attempt_at: number;
}

/** Undefined if the time is over. The last attempt is made at its very end. */
export function nextAttemptAt(
  { attempts, first_attempt_at }: Attempted,
  now: number,
  random: number,
): number | undefined {
  const endsAt = first_attempt_at + retryForMs;
  if (now >= endsAt) return undefined;
  const pauseMs = Math.min(firstPauseMs * pauseFactor ** (attempts - 1), longestPauseMs);
  const jittered = pauseMs * (1 - jitter + 2 * jitter * random);
  return Math.min(now + Math.round(jittered), endsAt);
}
