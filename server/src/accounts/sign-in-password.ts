// Sign-in with a password, and changing it. Both are rate limited, and few run at a time, because
// each check costs memory and time. A success marks the browser as known.
import { GatewayError } from '@trivium/contract';
import type { PasswordChange } from '@trivium/contract';
import type { Clock } from '../platform/clock.ts';
import { makeKnownBrowsers } from './known-browser.ts';
import { passwordLimits, tooBusy } from './sign-in.ts';
import type { SignIn, SignInRequest } from './sign-in.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { makeConcurrencyLimiter, runLimited } from '../platform/concurrency-limiter.ts';

interface Client {
  headers: Headers;
  address: string;
}

export interface PasswordSignIn {
  signIn: (attempt: { email: string; password: string } & Client) => Promise<Response>;
  /** Ends every other session of the person. */
  change: (change: PasswordChange & Client) => Promise<Response>;
}

export function makePasswordSignIn(
  signIn: SignIn,
  rateLimits: SignInLimits,
  { clock, secret, secure }: { clock: Clock; secret: string; secure: boolean },
): PasswordSignIn {
  const browsers = makeKnownBrowsers(secret, secure);
  // Separate limiters, so that unknown browsers cannot block known ones.
  const limiters = {
    known: makeConcurrencyLimiter({ ...passwordLimits, name: 'sign_ins_known' }, clock),
    unknown: makeConcurrencyLimiter({ ...passwordLimits, name: 'sign_ins_unknown' }, clock),
  };
  const attempt = async (
    email: string,
    { headers, address }: Client,
    request: Pick<SignInRequest, 'path' | 'body'>,
  ) => {
    const browser = browsers.idFor(email, headers.get('cookie'));
    const undo = rateLimits.count({ address, email, browser });
    const limiter = browser === undefined ? limiters.unknown : limiters.known;
    const refusal = () => {
      undo();
      return tooBusy();
    };
    return runLimited(limiter, address, refusal, async () => {
      const response = await signIn.request({ ...request, headers, address });
      undo();
      response.headers.append('set-cookie', browsers.cookieFor(email, browser));
      return response;
    });
  };
  return {
    signIn: ({ email: typed, password, ...client }) => {
      const email = typed.toLowerCase();
      return attempt(email, client, { path: '/sign-in/email', body: { email, password } });
    },
    change: async ({ current_password, new_password, ...client }) => {
      const person = await signIn.personOf(client.headers);
      if (!person) throw new GatewayError('unauthorized', 'Sign in to change your password.');
      const body = {
        currentPassword: current_password,
        newPassword: new_password,
        revokeOtherSessions: true,
      };
      return attempt(person.email.toLowerCase(), client, { path: '/change-password', body });
    },
  };
}
