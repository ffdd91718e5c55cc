// The time limits of paid requests, in one place. For each tool, a function returns the parts of
// its time and their sum. The expiry of a hold, the claim of an idempotency key, the wait for
// another caller's fetch, and the time limits of listeners and of a stop are derived from it, so
// that none of them ends before the request does. Once the provider has answered, the answer waits
// for its commit: a late commit exceeds the sum, and is still settled.

export interface TimeLimits {
  /** The wait for another caller's fetch of the same answer. */
  waitMs: number;
  /** How many calls to providers follow one another. Retries share the time of their call. */
  attempts: number;
  /** How long a call may wait for a free slot. */
  queueMs: number;
  /** How long a provider may take to answer a call. */
  vendorMs: number;
  /** The sum, including the commits, and the wait for room to read the answers. */
  sumMs: number;
}

/** An attempt to commit that takes longer counts as lost. */
export const commitAttemptMs = 5000;
/** How long an entry waits for its commit if no provider has been called for it yet. */
export const commitLimitMs = 10_000;
/** The longest wait for a commit: the limit is checked between attempts. */
const commitMs = commitLimitMs + commitAttemptMs;
/** How long other gateways may take to return money. Longer than it takes to detect a dead one. */
export const recallLimitMs = 12_000;
/** A hold or claim outlives its request by this much, because the clocks of gateways differ. */
const marginMs = 5000;
/** Until the hold is committed, even if other gateways must return money first. */
const holdMs = commitMs + recallLimitMs + commitMs;
/** From the claim of an idempotency key until the hold of its request extends it. */
export const unheldClaimMs = commitMs + holdMs + marginMs;

/** The total wait of one request for room to read long answers; see byte-budget.ts. */
export const roomMs = 60_000;

/** How many providers one request may try. */
export const maxProviders = 3;

const searchTimeoutMs = 30_000;
/** How often a member of a panel is called: once, and once more if it was late. */
export const fusionTries = 2;

export const defaultPageMs = 60_000;
/** Added to the page timeout that the caller sets. */
const pageMarginMs = 5000;
/** How many calls run in parallel with a provider that accepts one page per call. */
export const maxSideBySide = 5;
/** A page may need a second call after the first. */
const callsPerPage = 2;

export function timeForSearch(queueMs: number): TimeLimits {
  return sum({ waitMs: 0, attempts: 1, queueMs, vendorMs: searchTimeoutMs });
}

/** All members are called at once. */
export function timeForFusion(queueMs: number, timeoutMs: number): TimeLimits {
  return sum({ waitMs: 0, attempts: fusionTries, queueMs, vendorMs: timeoutMs });
}

/** `calls` is the number of calls that the pages need. Without `pageMs`, the default applies. */
export function timeForExtract(queueMs: number, pageMs: number | undefined, calls: number) {
  const attempts = Math.max(1, Math.ceil(calls / maxSideBySide)) * callsPerPage;
  const vendorMs = pageMs === undefined ? defaultPageMs : pageMs + pageMarginMs;
  return sum({ waitMs: 0, attempts, queueMs, vendorMs });
}

/** For several providers that may be tried one after the other. */
export function timeInTurn(first: TimeLimits, others: readonly TimeLimits[]): TimeLimits {
  return sum({
    ...first,
    attempts: others.reduce((all, one) => all + one.attempts, first.attempts),
  });
}

/**
 * Includes a wait for another caller's fetch, which may take as long as the request's own calls.
 */
export function timeWithWait(time: TimeLimits): TimeLimits {
  return sum({ ...time, waitMs: callsMs(time) });
}

/** The most time that all calls can take. */
export function callsMs({ attempts, queueMs, vendorMs }: Calls): number {
  return attempts * (queueMs + vendorMs);
}

/**
 * A worker renews the lease of a job until its step has ended, however long the vendor takes. A
 * renewal may be delayed by one attempt to commit.
 */
export const jobLeaseMs = 2 * commitAttemptMs;
export const renewLeaseMs = jobLeaseMs / 4;

/** For connecting to the receiver of an event, sending, and the status line of its answer. */
export const deliveryAttemptMs = 10_000;
/** The lease of a delivery is not renewed: it covers the attempt and the commit of its result. */
export const deliveryLeaseMs = deliveryAttemptMs + commitAttemptMs;

/** How long a stopping gateway waits for requests whose provider was called. */
export function stopLimitMs(queueMs: number): number {
  return callsMs(timeForSearch(queueMs)) + commitMs;
}

/** The largest value of TRIVIUM_PROVIDER_QUEUE_MS. */
export const longestQueueMs = 60_000;
/** The largest `timeout_ms` of an extraction, and its maximum number of pages. */
const [longestPageMs, maxPages] = [90_000, 20];
const longest = timeForExtract(longestQueueMs, longestPageMs, maxPages);

/** No request takes longer unless it commits late, whatever its own limits and the settings are. */
export const longestRequestMs = timeWithWait(
  timeInTurn(
    longest,
    Array.from({ length: maxProviders - 1 }, () => longest),
  ),
).sumMs;

type Calls = Pick<TimeLimits, 'attempts' | 'queueMs' | 'vendorMs'>;

function sum({ waitMs, attempts, queueMs, vendorMs }: Calls & Pick<TimeLimits, 'waitMs'>) {
  const calls = { attempts, queueMs, vendorMs };
  const sumMs = holdMs + waitMs + callsMs(calls) + roomMs + commitMs + marginMs;
  return { waitMs, ...calls, sumMs };
}
