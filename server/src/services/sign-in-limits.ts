// How often a password may be tried: by network, and by person. A stranger who guesses uses up what
// strangers have together, never what a browser has in which that person signed in before.
import { GatewayError } from '@trivium/contract';
import { networkOf } from '../platform/addresses.ts';
import { makeAttemptCounter } from '../platform/attempt-counter.ts';
import type { AttemptCounter } from '../platform/attempt-counter.ts';
import type { Clock } from '../platform/clock.ts';

const minuteMs = 60_000;
const guessWindowMs = 15 * minuteMs;

/** Wrong passwords from one network in a window, whomever they are for. */
const mostByNetwork = 20;
/** Wrong passwords in a browser where this person has signed in before. */
const mostByBrowser = 10;
/** Wrong passwords for one person from all other browsers together. */
const mostByPerson = 10;
/** Beyond these a network that has not tried this person yet may try once, so often in all. */
const mostFirstTries = 50;
/** Ways to the identity provider and back from one network in a minute. */
const mostByProvider = 120;

export interface Attempt {
  address: string;
  email: string;
  /** The browser's id, when it has proved that this person signed in there before. */
  browser: string | undefined;
}

export interface SignInLimits {
  /** Throws a 429, or counts the attempt; what it answers takes it back, for a right password. */
  count: (attempt: Attempt) => () => void;
  countProvider: (address: string) => void;
}

export function makeSignInLimits(clock: Clock): SignInLimits {
  const networks = makeAttemptCounter(guessWindowMs, clock);
  const visits = makeAttemptCounter(minuteMs, clock);
  const browsers = makeAttemptCounter(guessWindowMs, clock);
  const people = makeAttemptCounter(guessWindowMs, clock);
  const firstTries = makeAttemptCounter(guessWindowMs, clock);
  return {
    count: ({ address, email, browser }) => {
      if (browser !== undefined) {
        if (browsers.count(browser) >= mostByBrowser) throw tooMany(browsers);
        return browsers.add(browser);
      }
      const network = networkOf(address);
      if (networks.count(network) >= mostByNetwork) throw tooMany(networks);
      const pair = JSON.stringify([email, network]);
      const tried = people.count(email);
      const first = firstTries.count(pair) === 0 && tried < mostByPerson + mostFirstTries;
      if (tried >= mostByPerson && !first) throw tooMany(people);
      const counted = [networks.add(network), people.add(email), firstTries.add(pair)];
      return () => counted.forEach((takeBack) => takeBack());
    },
    countProvider: (address) => {
      const network = networkOf(address);
      if (visits.count(network) >= mostByProvider) throw tooMany(visits);
      visits.add(network);
    },
  };
}

function tooMany(counter: AttemptCounter): GatewayError {
  return new GatewayError(
    'rate_limited',
    'Too many attempts to sign in. Wait a while, or use a browser in which you have signed in ' +
      'before.',
    undefined,
    { headers: { 'retry-after': String(counter.secondsLeft()) } },
  );
}
