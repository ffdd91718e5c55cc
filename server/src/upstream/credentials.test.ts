// Credential rotation: which one is next, which is suspended, and what happens when all are.
import { describe, expect, test } from 'bun:test';
import {
  acceptKey,
  hasOtherKey,
  longestRateLimitRestMs,
  makeCredentials,
  rateLimitRestMs,
  refusedRestMs,
  restingCount,
  restKey,
  takeKey,
} from './guard.ts';
import type { Credentials } from './guard.ts';

function takeMany(from: Credentials, count: number, now = 0): (string | undefined)[] {
  let credentials = from;
  return Array.from({ length: count }, () => {
    const taken = takeKey(credentials, now);
    credentials = taken.credentials;
    return taken.key;
  });
}

const three = makeCredentials(['a', 'b', 'c']);

describe('turns', () => {
  test('go round', () => {
    expect(takeMany(three, 5)).toEqual(['a', 'b', 'c', 'a', 'b']);
  });
  test('a provider without any key is called without one', () => {
    expect(takeMany(makeCredentials([]), 2)).toEqual([undefined, undefined]);
  });
  test('pass over a key that rests, until it has rested', () => {
    const resting = restKey(three, 'b', 'rate_limited', 1000, 0);
    expect(takeMany(resting, 4)).toEqual(['a', 'c', 'a', 'c']);
    expect(takeMany(resting, 3, 1000)).toEqual(['a', 'b', 'c']);
  });
  test('fall to the one that rests the least when all rest', () => {
    let all = restKey(three, 'a', 'unauthorized', undefined, 0);
    all = restKey(all, 'b', 'rate_limited', 2000, 0);
    all = restKey(all, 'c', 'out_of_credit', undefined, 0);
    expect(takeMany(all, 1)).toEqual(['b']);
    expect(restingCount(all, 0)).toBe(3);
  });
});

describe('a rest', () => {
  const until = (kind: Parameters<typeof restKey>[2], retryAfterMs?: number) =>
    restKey(three, 'a', kind, retryAfterMs, 0).restsUntil[0];
  test('lasts as long as the provider says, within a bound', () => {
    expect(until('rate_limited', 700)).toBe(700);
    expect(until('rate_limited', 9e9)).toBe(longestRateLimitRestMs);
    expect(until('rate_limited')).toBe(rateLimitRestMs);
  });
  test('is long for a key that is wrong or used up', () => {
    expect(until('unauthorized', 1)).toBe(refusedRestMs);
    expect(until('out_of_credit')).toBe(refusedRestMs);
  });
  test('is not taken for a failure that is not about the key', () => {
    for (const kind of ['unavailable', 'rejected', 'uncertain', 'unreachable'] as const) {
      expect(until(kind)).toBe(0);
    }
  });
});

test('another key is known to be free only while it does not rest', () => {
  const two = restKey(makeCredentials(['a', 'b']), 'b', 'rate_limited', 1000, 0);
  expect(hasOtherKey(two, 'a', 999)).toBe(false);
  expect(hasOtherKey(two, 'a', 1000)).toBe(true);
  expect(hasOtherKey(makeCredentials(['a']), 'a', 0)).toBe(false);
});

describe('a refused key', () => {
  const refused = restKey(makeCredentials(['a', 'b']), 'a', 'unauthorized', undefined, 10);
  test('stays refused when its pause ends, until a later call with it succeeds', () => {
    expect(refused.refusedAt).toEqual([10, undefined]);
    expect(restingCount(refused, 10 + refusedRestMs)).toBe(0);
    // Of the other key, and of a call that began before the refusal.
    expect(acceptKey(refused, 'b', 20)).toBe(refused);
    expect(acceptKey(refused, 'a', 9)).toBe(refused);
    const works = acceptKey(refused, 'a', 10);
    expect(works.refusedAt).toEqual([undefined, undefined]);
    expect(restingCount(works, 11)).toBe(0);
  });
  test('is not one that only was rate limited', () => {
    const limited = restKey(three, 'a', 'rate_limited', 10, 0);
    expect(limited.refusedAt).toEqual(three.refusedAt);
  });
});
