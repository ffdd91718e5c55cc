// Signing in with a password: counted first, few at a time because each costs memory and time, and
// the browser remembered when it was right.
import { GatewayError } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import { makeKnownBrowsers } from './known-browser.ts';
import type { SignIn } from './sign-in.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { makeTurnstile } from './turnstile.ts';

export interface PasswordAttempt {
  email: string;
  password: string;
  headers: Headers;
  address: string;
}

export type SignInWithPassword = (attempt: PasswordAttempt) => Promise<Response>;

/** Checking a password takes 32 MB for a moment. */
const room = { most_running: 2, most_waiting: 50, longest_wait_ms: 10_000 };

export function makePasswordSignIn(
  sign_in: SignIn,
  limits: SignInLimits,
  { clock, secret, secure }: { clock: Clock; secret: string; secure: boolean },
): SignInWithPassword {
  const browsers = makeKnownBrowsers(secret, secure);
  // Apart, so that strangers cannot fill the room of people who are known.
  const rooms = { known: makeTurnstile(room, clock), strangers: makeTurnstile(room, clock) };
  return async ({ email: written, password, headers, address }) => {
    const email = written.toLowerCase();
    const browser = browsers.idFor(email, headers.get('cookie'));
    const takeBack = limits.count({ address, email, browser });
    const checking = browser === undefined ? rooms.strangers : rooms.known;
    if (!(await checking.enter())) {
      takeBack();
      throw busy();
    }
    try {
      const body = { email, password };
      const response = await sign_in.ask({ path: '/sign-in/email', body, headers, address });
      takeBack();
      response.headers.append('set-cookie', browsers.cookieFor(email, browser));
      return response;
    } finally {
      checking.leave();
    }
  };
}

function busy(): GatewayError {
  return new GatewayError(
    'rate_limited',
    'Too many people sign in at this moment. Try again shortly.',
    undefined,
    { headers: { 'retry-after': '5' } },
  );
}
