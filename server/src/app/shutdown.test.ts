// Stopping a gateway: nothing uses the store after it is closed.
import { expect, test } from 'bun:test';
import { systemClock } from '../platform/clock.ts';
import { every } from '../platform/every.ts';
import { makeStop } from './shutdown.ts';

test('the store is closed after the rounds of repeated work that had begun', async () => {
  const happened: string[] = [];
  const begun = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const counting = every(60_000, {
    name: 'test_round',
    startsNow: true,
    work: async () => {
      begun.resolve();
      await answered.promise;
      happened.push('round ended');
    },
  });
  await begun.promise;
  const stop = makeStop({
    clock: systemClock,
    readiness: { end: () => happened.push('announced') } as never,
    headers: {},
    background: [counting, { stop: () => happened.push('stopped') }, undefined],
    // The last step before the store: the round is still waiting for it.
    listeners: { drain: async () => void setImmediate(answered.resolve) },
    limiter: { running: () => 0 } as never,
    jobs: { drain: async () => {}, stop: async () => {} },
    authenticator: { noteUses: async () => {} },
    ledger: { close: async () => {} },
    limitMs: 1000,
    closing: [async () => void happened.push('store closed')],
  });
  await stop();
  expect(happened).toEqual(['announced', 'stopped', 'round ended', 'store closed']);
});
