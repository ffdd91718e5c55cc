// Decides when a delivery is sent again: exponential pauses with jitter, for 24 hours from the
// first attempt.
import { dayMs, hourMs } from '@trivium/contract/durations';
import { backoff } from '../../platform/backoff.ts';

const retryForMs = dayMs;
const pauseAfter = backoff(5000, 3, 3 * hourMs, { shorter: 0.2, longer: 0.2 });

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
  return Math.min(now + pauseAfter(attempts, random), endsAt);
}
