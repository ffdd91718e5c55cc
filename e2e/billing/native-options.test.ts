// Any JSON in any native option of any adapter, over HTTP and on both stores: no 500, no hold below
// the price, no answer without its price.
import { expect, test } from 'bun:test';
import { auditStore } from '../audit-store.ts';
import { engines, startGatewayProcess } from '../harness.ts';
import type { Engine } from '../harness.ts';
import { optionRounds, seed } from '../lengths.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { startAnyUpstream } from './any-upstream.ts';
import { attackOptions, fewestCases } from './option-attack.ts';
import { sold } from './option-paths.ts';

/**
 * That any option has a price is proven without a gateway in server/test/price-properties.test.ts. What
 * it costs does not depend on the store, so few cases prove that it is held and booked.
 */
const cases = {
  SQLite: Math.ceil(optionRounds * fewestCases),
  PostgreSQL: Math.ceil((optionRounds * fewestCases) / 4),
};

test('the list of options covers every product of every adapter', () => {
  expect(sold).toHaveLength(23);
  const pathsOf = (id: string, product: string) =>
    sold.find((one) => one.id === id && one.product === product)?.paths;
  expect(pathsOf('engine_a', 'search')).toEqual(
    expect.arrayContaining(['type', 'contents', 'contents.subpages', 'includeDomains']),
  );
  expect(pathsOf('engine_e', 'extract')).toEqual(expect.arrayContaining(['url', 'unheard_of']));
  expect(pathsOf('stt_b', 'transcribe')).toContain('model');
});

test.each(engines)('on %s, every served request is held, priced and paid', attack);

async function attack(engine: Engine): Promise<void> {
  await using sandbox = await startTestSandbox();
  await using upstream = startAnyUpstream(sandbox.url);
  const settings = { ...upstream.env, TRIVIUM_BOOTSTRAP_BALANCE_USD: '100000' };
  await using gateway = await startGatewayProcess({
    engine,
    env: { ...settings, LOG_LEVEL: 'error' },
  });
  const { fault, served } = await attackOptions(
    { gateway, upstream },
    { cases: cases[engine], seed },
  );
  expect(fault).toBeUndefined();
  // The vendor validates most values, and this upstream accepts all of them.
  expect(served).toBeGreaterThan(cases[engine] / 2);
  expect(gateway.output()).not.toContain('"level":50');
  await gateway.stop();
  await auditStore(gateway.store);
}
