// The state of a provider: green only when its requests succeed.
import { expect, test } from 'bun:test';
import type { ProviderDescription } from '@trivium/contract';
import { healthOf } from './provider-health.ts';

type Health = NonNullable<ProviderDescription['health']>;

const health: Health = {
  circuit: 'closed',
  credentials: 2,
  credentials_resting: 0,
  credentials_refused: 0,
  retry_at: null,
  last_refusal: null,
  running: 0,
  waiting: 0,
};
const of = (more: Partial<Health>, requests = 100, failures = 0) =>
  healthOf({ state: 'configured', health: { ...health, ...more } }, { requests, failures });

test('only a provider whose requests succeed is green', () => {
  expect(of({})).toEqual(['good', 'Healthy']);
  expect(of({}, 100, 22)).toEqual(['bad', '22% failed']);
  expect(of({}, 100, 5)).toEqual(['warn', '5% failed']);
  expect(of({}, 3, 1)).toEqual(['warn', '33.3% failed']);
  expect(of({}, 0)).toEqual(['quiet', 'Not used yet']);
  expect(of({ circuit: 'open' })).toEqual(['bad', 'Circuit open']);
  expect(of({ credentials_refused: 2 })).toEqual(['bad', 'Credentials refused']);
  expect(of({ credentials_refused: 1 })).toEqual(['warn', '1 of 2 credentials refused']);
});

test('an unconfigured or disabled provider says so', () => {
  expect(healthOf({ state: 'not_configured' }, undefined)[1]).toBe('No credential');
  expect(healthOf({ state: 'disabled' }, undefined)).toEqual(['warn', 'Disabled']);
});
