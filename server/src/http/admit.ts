// Admits callers who are identified and within the limits of requests in progress. A request above
// a limit is refused at once.
import { GatewayError } from '@trivium/contract';
import type { Authenticator } from '../accounts/index.ts';
import type { Caller } from '../requests/index.ts';
import type { ConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import { identify } from './middleware/auth.ts';

export interface Limiters {
  all: ConcurrencyLimiter;
  ofAccounts: ConcurrencyLimiter;
  /** The requests that wait for others, for example for a job. */
  waiting: ConcurrencyLimiter;
}

/** Runs the work of a caller, who is already known or sent this `Authorization` header. */
export type Admit = <T>(
  who: Caller | string | null,
  work: (caller: Caller) => Promise<T>,
) => Promise<T>;

export function makeAdmit(authenticator: Authenticator, limiters: Limiters): Admit {
  return async (who, work) => {
    const { all, ofAccounts } = limiters;
    if (all.enter('') !== true) throw overloaded();
    try {
      const isKnown = typeof who === 'object' && who !== null;
      const caller = isKnown ? who : await identify(who, authenticator);
      if (ofAccounts.enter(caller.account_id) !== true) throw overloaded();
      try {
        return await work(caller);
      } finally {
        ofAccounts.leave(caller.account_id);
      }
    } finally {
      all.leave('');
    }
  };
}

export function overloaded(): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The gateway is at its limit of concurrent requests. Try again in a moment.',
    undefined,
    { status: 503, headers: { 'retry-after': '1' } },
  );
}
