// A vendor that does not answer a search in time. The test does not wait thirty seconds: timers of
// this length expire sooner.
import { afterAll, beforeAll, test } from 'bun:test';
import { ErrorEnvelope } from '@trivium/contract';
import { expect, proves } from '../../e2e/proves.ts';
import { sqliteEngine } from './store/engines.ts';
import { openGatewayOnStore } from './store/gateway-on-store.ts';

const timeoutMs = 30_000;
/** Time for the request to reach the vendor. */
const soonMs = 1500;
const { setTimeout: usual } = globalThis;
beforeAll(() => {
  const hasty = (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    usual(work, ms === timeoutMs ? soonMs : ms, ...args);
  globalThis.setTimeout = Object.assign(hasty, usual);
});
afterAll(() => {
  globalThis.setTimeout = usual;
});

test('a search without an answer within thirty seconds gets a 502 and no retry', async () => {
  await using fixture = await openGatewayOnStore(sqliteEngine, '1');
  fixture.exa.answer(() => new Promise(() => undefined));
  const answer = await fixture.gateway.search({}, { query: 'solar', provider: 'engine_a' });
  const { error } = ErrorEnvelope.parse(await answer.json());
  proves('choice.502.no-answer', () => {
    expect(answer.status).toBe(502);
    expect(error.type).toBe('provider_error');
  });
  proves('calls.timeout.search', () => {
    expect(error.message).toContain(`${timeoutMs} ms`);
    expect(error.detail).toEqual({ provider: 'engine_a', status: null, body: null });
  });
  proves('calls.retry.never-after-timeout', () => expect(fixture.exa.calls()).toBe(1));
});
