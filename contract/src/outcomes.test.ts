// The outcome for each status and error type.
import { expect, test } from 'bun:test';
import { outcomeOf } from './outcomes.ts';

test.each([
  [200, null, 'served'],
  [202, null, 'served'],
  [400, 'invalid_request', 'refused'],
  [401, 'unauthorized', 'refused'],
  [402, 'insufficient_credits', 'refused'],
  [403, 'unauthorized', 'refused'],
  [404, 'not_found', 'refused'],
  [409, 'invalid_request', 'refused'],
  [413, 'invalid_request', 'refused'],
  [429, 'rate_limited', 'refused'],
  [499, null, 'served'],
  [499, 'provider_error', 'failed'],
  [499, 'invalid_request', 'refused'],
  [502, null, 'failed'],
  [500, 'internal_error', 'failed'],
  [501, 'provider_not_available', 'refused'],
  [502, 'provider_error', 'failed'],
  [503, 'provider_not_available', 'failed'],
  [503, 'provider_not_configured', 'refused'],
] as const)('%d %p is %s', (status, errorType, outcome) => {
  expect(outcomeOf(status, errorType)).toBe(outcome);
});
