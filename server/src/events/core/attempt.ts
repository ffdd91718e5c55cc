// Decides what happens to a delivery after an attempt.
import { dayMs, hourMs } from '@trivium/contract/durations';
import { backoff } from '../../platform/backoff.ts';

/** The receiver's answer, with the beginning of its text if that was read. */
export type Answer = { status: number; text?: string } | { error: string };

export interface AttemptResult {
  state: 'pending' | 'delivered' | 'failed';
  due_at: number | null;
  last_status: number | null;
  last_error: string | null;
  /** The receiver wants no more events. */
  gone: boolean;
}

const goneStatus = 410;

export function resultOf(
  delivery: Pick<Counted, 'attempts' | 'first_attempt_at'>,
  answer: Answer,
  now: number,
  random: number,
): AttemptResult {
  const status = 'status' in answer ? answer.status : null;
  if (status !== null && status >= 200 && status < 300) {
    return { state: 'delivered', due_at: null, last_status: status, last_error: null, gone: false };
  }
  const failed = { last_status: status, last_error: reasonOf(answer), gone: status === goneStatus };
  const next = failed.gone ? undefined : nextAttemptAt(delivery, now, random);
  return { ...failed, state: next === undefined ? 'failed' : 'pending', due_at: next ?? null };
}

function reasonOf(answer: Answer): string {
  if ('error' in answer) return answer.error;
  const { status } = answer;
  if (status >= 300 && status < 400) return `Answered ${status}; redirects are not followed.`;
  return `Answered ${status}, not a status from 200 to 299.`;
}

/** One attempt, as the log of deliveries keeps it. The property names are stored. */
export interface LoggedAttempt {
  number: number;
  at: number;
  ms: number;
  status: number | null;
  error: string | null;
  text: string | null;
}

/** How many of the latest attempts of a delivery are kept. */
const maxLogged = 20;

export function withAttempt(
  logged: readonly LoggedAttempt[],
  attempt: LoggedAttempt,
): LoggedAttempt[] {
  return [...logged, attempt].slice(-maxLogged);
}

interface Counted extends Pick<AttemptResult, 'last_status' | 'last_error'> {
  /** Until the next result, this also counts claims that ended with their process. */
  attempts: number;
  first_attempt_at: number;
}

/**
 * The number of the attempt that begins now, how many this retry period has with it, and how many
 * claims ended with their process before it. Older versions kept no log and counted every claim.
 */
export function attemptsMade(delivery: Counted, logged: readonly LoggedAttempt[]) {
  const { attempts, first_attempt_at, last_status, last_error } = delivery;
  if (logged.length === 0 && (last_status !== null || last_error !== null)) {
    return { number: attempts, inPeriod: attempts, lost: 0 };
  }
  const number = (logged.at(-1)?.number ?? 0) + 1;
  const inPeriod = logged.filter(({ at }) => at >= first_attempt_at).length + 1;
  return { number, inPeriod, lost: Math.max(0, attempts - number) };
}

const retryForMs = dayMs;
const pauseAfter = backoff(5000, 3, 3 * hourMs, { shorter: 0.2, longer: 0.2 });

/** Undefined if the time is over. The last attempt is made at its very end. */
export function nextAttemptAt(
  { attempts, first_attempt_at }: Pick<Counted, 'attempts' | 'first_attempt_at'>,
  now: number,
  random: number,
): number | undefined {
  const endsAt = first_attempt_at + retryForMs;
  if (now >= endsAt) return undefined;
  return Math.min(now + pauseAfter(attempts, random), endsAt);
}
