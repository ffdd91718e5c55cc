// Follows the results of one subject: decides when an incident begins, what belongs to it, and that
// the next success ends it. A subject that fails again soon continues its incident, with a gap.
import type { FollowedKind } from '@trivium/contract';
import { hourMs } from '@trivium/contract/durations';

/** What fails. */
export interface Subject {
  kind: FollowedKind;
  subject: string;
  /** Empty for the whole gateway. */
  account_id: string;
  /** How people know the subject, if that is not its id. */
  name?: string | null;
}

/** Times are in milliseconds. */
export interface Failure {
  /** When the work began that failed, and when it had failed. */
  from: number;
  until: number;
  reason: string;
  requests: number;
  cost: number;
  /** It can only be ended by a person, so one is enough. */
  isFinal?: boolean;
}

/** What a process knows about a subject that failed lately. */
export interface Trouble {
  /** Whether each of the latest results was a failure. */
  results: readonly boolean[];
  /** The store has or will have an open incident. */
  isOpen: boolean;
  /** The clock ticks of the latest failure. A success that began earlier proves nothing. */
  failedAt: number;
  /** All failures that are not stored yet, as one. */
  unstored?: Failure;
  /** When a success followed them. */
  ended_at?: number;
}

const latestResults = 5;
/** An incident begins when so many of the latest results are failures. */
const leastFailures = 3;

export function afterFailure(
  before: Trouble | undefined,
  failure: Failure,
  failedAt: number,
): Trouble {
  const results = withResult(before, true);
  const isEnough = failure.isFinal === true || results.filter(Boolean).length >= leastFailures;
  const unstored = together(before?.unstored, failure);
  return { results, isOpen: before?.isOpen === true || isEnough, failedAt, unstored };
}

function withResult(before: Trouble | undefined, isFailure: boolean): boolean[] {
  return [...(before?.results ?? []), isFailure].slice(-latestResults);
}

/** Undefined if nothing has to be known about the subject any more. */
export function afterSuccess(
  before: Trouble,
  { began, at }: { began: number; at: number },
): Trouble | undefined {
  if (began < before.failedAt) return before;
  if (before.isOpen)
    return { ...before, results: withResult(before, false), ended_at: before.ended_at ?? at };
  const results = withResult(before, false);
  const isLongAgo = at - (before.unstored?.until ?? at) > continuedMs;
  return results.includes(true) && !isLongAgo ? { ...before, results } : undefined;
}

/** Two failures as one. */
export function together(one: Failure | undefined, other: Failure): Failure {
  if (!one) return other;
  return {
    from: Math.min(one.from, other.from),
    until: Math.max(one.until, other.until),
    reason: other.reason,
    requests: one.requests + other.requests,
    cost: one.cost + other.cost,
  };
}

export interface StoredIncident {
  created_at: number;
  last_at: number;
  ended_at: number | null;
  requests: number;
  cost: number;
  reason: string;
  gaps: readonly (readonly [from: number, until: number])[];
}

/** A subject that fails again within this time after a success has the same incident. */
export const continuedMs = hourMs;
const maxGaps = 100;

/**
 * The latest incident of a subject, with what this process has found. Undefined if there is nothing
 * to store. A failure that another gateway saw after this success keeps the incident open. Clocks
 * may jump back, so a failure in the future counts as earlier than every success.
 */
export function withFound(
  before: StoredIncident | undefined,
  { unstored: found, ended_at: ended }: Pick<Trouble, 'unstored' | 'ended_at'>,
  now: number,
): StoredIncident | undefined {
  if (!found && before?.ended_at !== null) return undefined;
  const isOver =
    before && found && before.ended_at !== null && found.from - before.ended_at > continuedMs;
  const known = isOver ? undefined : before;
  const first = known ?? { ...nothing, created_at: found?.from ?? now };
  const lastAt = Math.max(first.last_at, found?.until ?? 0);
  const succeeded = Math.max(ended ?? 0, first.ended_at ?? 0);
  const isEnded = succeeded > 0 && (succeeded >= lastAt || lastAt > now);
  const isGap = found && first.ended_at !== null && found.from > first.ended_at;
  const gap = isGap ? [[first.ended_at ?? 0, found.from] as const] : [];
  return {
    created_at: first.created_at,
    last_at: lastAt,
    ended_at: isEnded ? Math.max(succeeded, lastAt) : null,
    requests: first.requests + (found?.requests ?? 0),
    cost: first.cost + (found?.cost ?? 0),
    reason: found?.reason ?? first.reason,
    gaps: [...first.gaps, ...gap].slice(-maxGaps),
  };
}

const nothing: Omit<StoredIncident, 'created_at'> = {
  last_at: 0,
  ended_at: null,
  requests: 0,
  cost: 0,
  reason: '',
  gaps: [],
};
