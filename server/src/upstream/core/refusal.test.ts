// The general meaning of a refusal, before any vendor's own rules.
import { expect, test } from 'bun:test';
import { refusalOf, secondsToWait, type RefusalKind } from './refusal.ts';

const reply = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  text: '{"error":"no"}',
  body: { error: 'no' },
});

const kinds: [number, RefusalKind][] = [
  [400, 'rejected'],
  [401, 'unauthorized'],
  [402, 'out_of_credit'],
  [403, 'unauthorized'],
  [404, 'rejected'],
  [408, 'uncertain'],
  [422, 'rejected'],
  [429, 'rate_limited'],
  [500, 'unavailable'],
  [503, 'unavailable'],
];
for (const [status, kind] of kinds) {
  test(`a ${status} is ${kind}`, () => expect(refusalOf(reply(status)).kind).toBe(kind));
}

test('Retry-After is read in seconds, its exact form in milliseconds', () => {
  expect(refusalOf(reply(429, { 'retry-after': '2' })).retry_after_ms).toBe(2000);
  expect(
    refusalOf(reply(429, { 'retry-after-ms': '250', 'retry-after': '9' })).retry_after_ms,
  ).toBe(250);
  expect(refusalOf(reply(429, { 'retry-after': 'soon' })).retry_after_ms).toBeUndefined();
  expect(refusalOf(reply(429, { 'retry-after': '1e308' })).retry_after_ms).toBe(86_400_000);
});

test('Retry-After as a date counts from the date of the answer', () => {
  const date = 'Sun, 15 Nov 2026 12:00:00 GMT';
  const waits = (written: string, answered: Record<string, string> = { date }) =>
    refusalOf(reply(429, { 'retry-after': written, ...answered })).retry_after_ms;
  expect(waits('Sun, 15 Nov 2026 12:00:07 GMT')).toBe(7000);
  expect(waits('Sunday, 15-Nov-26 12:00:07 GMT')).toBe(7000);
  expect(waits('Sun, 15 Nov 2026 11:00:00 GMT')).toBe(0);
  expect(waits('Tue, 15 Nov 2095 12:00:00 GMT')).toBe(86_400_000);
  expect(waits('Sun, 15 Nov 2026 12:00:07 GMT', {})).toBeUndefined();
  for (const nonsense of ['soon GMT', '2026-11-15', '-1', 'Sun, 99 Nov 2026 12:00:07 GMT']) {
    expect(waits(nonsense)).toBeUndefined();
  }
});

test('a wait in a body is read like one in a header, and nonsense is none', () => {
  expect([2, '2', 0.25, 1e308, Infinity].map(secondsToWait)).toEqual([
    2000, 2000, 250, 86_400_000, 86_400_000,
  ]);
  for (const nonsense of [-1, '-1', NaN, '', 'soon', null, undefined, true, [3], { seconds: 3 }]) {
    expect(secondsToWait(nonsense)).toBeUndefined();
  }
});
