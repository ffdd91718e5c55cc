// The limits of requests in progress: of all, of one account, of reports that are read at a time, and
// the turns that reports take.
import { type GatewayError, tryLater } from '@trivium/contract';
import type { Authenticator } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import {
  type ConcurrencyLimiter,
  makeConcurrencyLimiter,
  makeOwnerLimiter,
} from '../platform/concurrency-limiter.ts';
import { watchStream } from '../platform/streams.ts';
import type { Caller } from '../requests/index.ts';
import type { HttpContext, Limiters } from './context.ts';
import { identify } from './roles.ts';

export function makeLimits(
  { settings, clock }: Pick<HttpContext, 'settings' | 'clock'>,
  authenticator: Authenticator,
): Pick<HttpContext, 'limiters' | 'admit' | 'reportTurn' | 'enterRead'> {
  const limits = { maxRunning: settings.max_requests, maxWaiting: 0, maxWaitMs: 1 };
  const make = (named: { name: string; maxOfOne?: number }) =>
    makeConcurrencyLimiter({ ...limits, ...named }, clock);
  // One account leaves some capacity to the others, including for requests that wait for a job.
  const limiters = {
    all: make({ name: 'requests', maxOfOne: limits.maxRunning }),
    ofAccounts: make({ name: 'requests_of_accounts' }),
    waiting: make({ name: 'requests_for_jobs' }),
  };
  return {
    limiters,
    admit: async (who, work) => {
      const places = enterLimits(limiters, {});
      try {
        const isKnown = typeof who === 'object' && who !== null;
        const caller = isKnown ? who : await identify(who, authenticator);
        places.enter(caller);
        return await work(caller);
      } finally {
        places.leave();
      }
    },
    reportTurn: makeReportTurns(clock, limiters),
    enterRead: makeReadLimit(),
  };
}

/**
 * The places of a request within the limits. It has to leave them, even after a refusal. A request
 * above a limit is refused at once. One that waits for others counts apart.
 */
export function enterLimits({ all, ofAccounts, waiting }: Limiters, { waits }: { waits?: true }) {
  if (!waits) takePlace(all, '');
  const ofOne = waits ? waiting : ofAccounts;
  let account: string | undefined;
  return {
    /** Takes the place in the limit of the caller's account, once the caller is known. */
    enter: ({ account_id: id }: Pick<Caller, 'account_id'>) => {
      takePlace(ofOne, id);
      account = id;
    },
    leave: () => {
      if (account !== undefined) ofOne.leave(account);
      if (!waits) all.leave('');
    },
  };
}

function takePlace(limiter: ConcurrencyLimiter, owner: string): void {
  if (limiter.enter(owner) !== true) throw overloaded();
}

function overloaded(): GatewayError {
  const message = 'The gateway is at its limit of concurrent requests. Try again in a moment.';
  return tryLater('provider_not_available', message, 1);
}

/** Much longer than a report keeps the main thread busy, and too short for a person to notice. */
const betweenReportsMs = 10;
const maxReportWaitMs = 10_000;

/**
 * Reports, lists and descriptions take turns while callers are served: each costs milliseconds of
 * the main thread, and several programs that read in a loop would leave little of it to payments.
 */
export function makeReportTurns(
  clock: Pick<Clock, 'ticks' | 'sleep'>,
  { all }: Pick<Limiters, 'all'>,
): HttpContext['reportTurn'] {
  let next = -Infinity;
  return () => {
    const now = clock.ticks();
    const waitMs = all.running() === 0 ? 0 : Math.max(0, next - now);
    if (waitMs > maxReportWaitMs) throw overloaded();
    next = now + waitMs + betweenReportsMs;
    return waitMs === 0 ? undefined : clock.sleep(waitMs);
  };
}

/** A page of the dashboard reads about six reports, lists and exports at once. */
const maxReads = 16;

/** So that one account does not delay the others. */
export function makeReadLimit(): HttpContext['enterRead'] {
  const limiter = makeOwnerLimiter('reads', maxReads);
  return (account) => {
    if (limiter.enter(account) !== true) throw tooManyReads();
    let isOver = false;
    return () => {
      if (!isOver) limiter.leave(account);
      isOver = true;
    };
  };
}

/** Ends a read within the limit of an account. */
export async function limitRead(leave: () => void, answer: Promise<Response>): Promise<Response> {
  try {
    return leaveAtEnd(await answer, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

/** An export keeps reading until its client has received everything or has disconnected. */
function leaveAtEnd(response: Response, leave: () => void): Response {
  const { body, headers } = response;
  if (!body || headers.get('content-type')?.startsWith('application/json')) {
    leave();
    return response;
  }
  return new Response(watchStream(body, leave), response);
}

function tooManyReads(): GatewayError {
  const message = `An account can read ${maxReads} reports, lists or exports at a time.`;
  return tryLater('rate_limited', `${message} Try again shortly.`, 1);
}
