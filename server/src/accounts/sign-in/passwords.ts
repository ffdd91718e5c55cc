// Sign-in with a password, and changing it. Both are limited by network and by person, and few run at
// a time, because each check costs memory and time. A success marks the browser as known: guesses from
// unknown browsers share one budget, and never use up that of a browser in which the person has
// signed in before.
import { makeChangeOnce } from '../change-once.ts';
import type { AccountsContext } from '../context.ts';
import { makePasswordResets } from '../people/password-reset.ts';
import { makeSignIn, passwordLimits, type SignIn, type SignInRequest, tooBusy } from './sign-in.ts';
import type { SignInParts } from './audit.ts';
import { GatewayError, type PasswordChange, tryLater } from '@trivium/contract';
import type { Clock } from '../../platform/clock.ts';
import { makeConcurrencyLimiter, runLimited } from '../../platform/concurrency-limiter.ts';
import { minuteMs } from '@trivium/contract/durations';
import { networkOf } from '../../platform/addresses.ts';
import { makeAttemptCounter } from '../../platform/concurrency-limiter.ts';
import { keyedDigest, newId, sameText } from '../../platform/ids.ts';

interface Client {
  headers: Headers;
  address: string;
}

/** Everything about signing in that the dashboard offers. */
export function openSignIn(context: AccountsContext, parts: SignInParts) {
  const signIn = makeSignIn(parts);
  const limits = makeSignInLimits(parts.clock);
  return {
    signIn,
    limits,
    passwords: makePasswordSignIn(signIn, limits, parts),
    resets: makePasswordResets(context, parts.secret, signIn),
    changeOnce: makeChangeOnce(parts.secret),
  };
}

function makePasswordSignIn(
  signIn: SignIn,
  rateLimits: ReturnType<typeof makeSignInLimits>,
  { clock, secret, base_url }: SignInParts,
) {
  const browsers = makeKnownBrowsers(secret, base_url.startsWith('https:'));
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
    signIn: ({
      email: typed,
      password,
      ...client
    }: { email: string; password: string } & Client) => {
      const email = typed.toLowerCase();
      return attempt(email, client, { path: '/sign-in/email', body: { email, password } });
    },
    /** Ends every other session of the person. */
    change: async ({ current_password, new_password, ...client }: PasswordChange & Client) => {
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

const guessWindowMs = 15 * minuteMs;

/** Wrong passwords from one network per window, for all people. */
const maxByNetwork = 20;
/** Wrong passwords in a browser where this person has signed in before. */
const maxByBrowser = 10;
/** Wrong passwords for one person from all other browsers together. */
const maxByPerson = 10;
/**
 * Above that, a network that has not tried this person yet may try once; this many networks in
 * total.
 */
const maxFirstAttempts = 50;
/** Redirects to the identity provider and back, from one network per minute. */
const maxByProvider = 120;
/** Refreshes of one agent's access per minute. Its access token lasts an hour. */
const maxRefreshes = 10;

interface Attempt {
  address: string;
  email: string;
  /** The browser's id, if its cookie proves that this person has signed in there before. */
  browser: string | undefined;
}

export function makeSignInLimits(clock: Clock) {
  const networks = makeAttemptCounter('sign_ins_of_networks', guessWindowMs, clock);
  const visits = makeAttemptCounter('sign_in_visits', minuteMs, clock);
  const browsers = makeAttemptCounter('sign_ins_of_browsers', guessWindowMs, clock);
  const people = makeAttemptCounter('sign_ins_of_people', guessWindowMs, clock);
  const firstAttempts = makeAttemptCounter('first_sign_ins', guessWindowMs, clock);
  return {
    /**
     * Throws a 429, or counts the attempt. The returned function undoes the count after a success.
     */
    count: ({ address, email, browser }: Attempt) => {
      if (browser !== undefined) {
        if (browsers.count(browser) >= maxByBrowser) throw tooManyAttempts(browsers);
        return browsers.add(browser);
      }
      const network = networkOf(address);
      if (networks.count(network) >= maxByNetwork) throw tooManyAttempts(networks);
      const pair = JSON.stringify([email, network]);
      const tried = people.count(email);
      const first = firstAttempts.count(pair) === 0 && tried < maxByPerson + maxFirstAttempts;
      if (tried >= maxByPerson && !first) throw tooManyAttempts(people);
      const counted = [networks.add(network), people.add(email), firstAttempts.add(pair)];
      return () => counted.forEach((undo) => undo());
    },
    countProvider: (address: string) => {
      const network = networkOf(address);
      if (visits.count(network) >= maxByProvider) throw tooManyAttempts(visits);
      visits.add(network);
    },
    countRefresh: (grant: string) => {
      if (visits.count(grant) >= maxRefreshes) throw tooManyAttempts(visits, 'Refresh less often.');
      visits.add(grant);
    },
  };
}

function tooManyAttempts(
  counter: ReturnType<typeof makeAttemptCounter>,
  advice = 'Wait a while, or use a browser in which you have signed in before.',
): GatewayError {
  const message = `Too many attempts to sign in. ${advice}`;
  return tryLater('rate_limited', message, counter.secondsLeft());
}

const maxAgeS = 400 * 86_400;

/**
 * A signed cookie that marks a browser in which a person has signed in with a password, so that wrong
 * guesses from elsewhere cannot lock that person out.
 */
function makeKnownBrowsers(secret: string, secure: boolean) {
  const name = `${secure ? '__Secure-' : ''}trivium.browser`;
  const proofOf = (email: string, id: string) =>
    keyedDigest(secret, JSON.stringify(['known browser', id, email]));
  return {
    /** The browser's id, if its cookie is valid for this person. */
    idFor: (email: string, cookies: string | null): string | undefined => {
      const value = cookieIn(cookies, name) ?? '';
      const [, id, proof] = /^(brw_[0-9a-f]{32})\.([\w-]{43})$/.exec(value) ?? [];
      if (id === undefined || proof === undefined) return undefined;
      return sameText(proof, proofOf(email, id)) ? id : undefined;
    },
    /** The Set-Cookie header that marks the browser. */
    cookieFor: (email: string, id: string = newId('brw')) =>
      `${name}=${id}.${proofOf(email, id)}; Max-Age=${maxAgeS}; Path=/auth; HttpOnly; ` +
      `SameSite=Lax${secure ? '; Secure' : ''}`,
  };
}

function cookieIn(cookies: string | null, name: string): string | undefined {
  const found = cookies?.split(';').find((part) => part.trim().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1);
}
