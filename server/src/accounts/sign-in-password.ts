// Sign-in with a password: rate limited, few at a time because each check costs memory and time. A
// success marks the browser as known.
import { GatewayError } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import { makeKnownBrowsers } from './known-browser.ts';
import type { SignIn } from './sign-in.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { makeConcurrencyLimiter } from '../platform/concurrency-limiter.ts';

interface PasswordAttempt {
  email: string;
  password: string;
  headers: Headers;
  address: string;
}

export type SignInWithPassword = (attempt: PasswordAttempt) => Promise<Response>;

/** Checking a password takes 32 MB for a moment. */
const limits = { maxRunning: 2, maxWaiting: 50, maxWaitMs: 10_000 };

export function makePasswordSignIn(
  signIn: SignIn,
  rateLimits: SignInLimits,
  { clock, secret, secure }: { clock: Clock; secret: string; secure: boolean },
): SignInWithPassword {
  const browsers = makeKnownBrowsers(secret, secure);
  // Separate limiters, so that unknown browsers cannot block known ones.
  const limiters = {
    known: makeConcurrencyLimiter(limits, clock),
    unknown: makeConcurrencyLimiter(limits, clock),
  };
  return async ({ email: typed, password, headers, address }) => {
    const email = typed.toLowerCase();
    const browser = browsers.idFor(email, headers.get('cookie'));
    const undo = rateLimits.count({ address, email, browser });
    const limiter = browser === undefined ? limiters.unknown : limiters.known;
    if (!(await limiter.enter())) {
      undo();
      throw busy();
    }
    try {
      const body = { email, password };
      const response = await signIn.request({ path: '/sign-in/email', body, headers, address });
      undo();
      response.headers.append('set-cookie', browsers.cookieFor(email, browser));
      return response;
    } finally {
      limiter.leave();
    }
  };
}

function busy(): GatewayError {
  return new GatewayError(
    'rate_limited',
    'Too many people are signing in at this moment. Try again shortly.',
    undefined,
    { headers: { 'retry-after': '5' } },
  );
}
