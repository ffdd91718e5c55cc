// Rate limits for password sign-in, by network and by person. Guesses from unknown browsers share
// one budget, and never use up the budget of a browser in which the person has signed in before.
import { minuteMs } from '@trivium/contract/durations';
import { GatewayError } from '@trivium/contract';
import { networkOf } from '../platform/addresses.ts';
import { makeAttemptCounter } from '../platform/concurrency-limiter.ts';
import type { AttemptCounter } from '../platform/concurrency-limiter.ts';
import type { Clock } from '../platform/clock.ts';

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

export interface SignInLimits {
  /**
   * Throws a 429, or counts the attempt. The returned function undoes the count after a success.
   */
  count: (attempt: Attempt) => () => void;
  countProvider: (address: string) => void;
  countRefresh: (grant: string) => void;
}

export function makeSignInLimits(clock: Clock): SignInLimits {
  const networks = makeAttemptCounter(guessWindowMs, clock);
  const visits = makeAttemptCounter(minuteMs, clock);
  const browsers = makeAttemptCounter(guessWindowMs, clock);
  const people = makeAttemptCounter(guessWindowMs, clock);
  const firstAttempts = makeAttemptCounter(guessWindowMs, clock);
  return {
    count: ({ address, email, browser }) => {
      if (browser !== undefined) {
        if (browsers.count(browser) >= maxByBrowser) throw tooMany(browsers);
        return browsers.add(browser);
      }
      const network = networkOf(address);
      if (networks.count(network) >= maxByNetwork) throw tooMany(networks);
      const pair = JSON.stringify([email, network]);
      const tried = people.count(email);
      const first = firstAttempts.count(pair) === 0 && tried < maxByPerson + maxFirstAttempts;
      if (tried >= maxByPerson && !first) throw tooMany(people);
      const counted = [networks.add(network), people.add(email), firstAttempts.add(pair)];
      return () => counted.forEach((undo) => undo());
    },
    countProvider: (address) => {
      const network = networkOf(address);
      if (visits.count(network) >= maxByProvider) throw tooMany(visits);
      visits.add(network);
    },
    countRefresh: (grant) => {
      if (visits.count(grant) >= maxRefreshes) throw tooMany(visits, 'Refresh less often.');
      visits.add(grant);
    },
  };
}

function tooMany(
  counter: AttemptCounter,
  advice = 'Wait a while, or use a browser in which you have signed in before.',
): GatewayError {
  return new GatewayError('rate_limited', `Too many attempts to sign in. ${advice}`, undefined, {
    headers: { 'retry-after': String(counter.secondsLeft()) },
  });
}
