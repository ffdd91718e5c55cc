// The health of an endpoint follows its latest deliveries.
import { expect, test } from 'bun:test';
import { healthOf } from './webhook-labels.ts';

const [sent, lost] = [
  { state: 'delivered', attempts: 1 },
  { state: 'failed', attempts: 8 },
] as const;
const retrying = { state: 'pending', attempts: 2 } as const;
const waiting = { state: 'pending', attempts: 0 } as const;

test('an endpoint that fails every delivery is not active', () => {
  expect(healthOf([waiting, retrying, lost])).toEqual([
    'bad',
    'Failing',
    '2 of the latest 2 not delivered',
  ]);
  expect(healthOf([lost, sent])[1]).toBe('Unreliable');
  expect(healthOf([waiting, sent, sent, sent, sent, sent, lost])).toEqual(['good', 'Active']);
  expect(healthOf([])).toEqual(['good', 'Active']);
});
