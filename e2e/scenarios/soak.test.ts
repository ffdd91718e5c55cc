// A mixed load with failing providers: memory and files stay bounded, and the ledger is correct.
import { expect, test } from 'bun:test';
import { auditStore } from '../audit-store.ts';
import { readGauge } from '../gauges.ts';
import { startGateway } from '../harness.ts';
import { maxSoakGrowth, seed, soakSeconds } from '../lengths.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { growthOf, soak } from '../soak.ts';

test('a mixed load with failing providers leaks no memory or files, and the ledger is correct', async () => {
  await using sandbox = await startTestSandbox();
  const env = { TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000000' };
  await using gateway = await startGateway({ sandbox: sandbox.url, env });
  const report = await soak(gateway, sandbox, { seconds: soakSeconds, workers: 8, seed });
  expect(report.unexpected).toEqual([]);
  expect(report.statuses.get(200)).toBeGreaterThan(soakSeconds);
  expect(report.statuses.get(502)).toBeGreaterThan(0);
  expect(growthOf(report.memoryBytes)).toBeLessThan(maxSoakGrowth);
  expect(growthOf(report.openFiles)).toBeLessThan(maxSoakGrowth);

  expect(await readGauge(gateway, 'trivium_requests_running')).toBe(1);
  const { body } = await gateway.get('/v1/balance');
  expect(body).toMatchObject({ held_usd: 0 });
  await gateway.stop();
  await auditStore({ TRIVIUM_DATA_DIR: gateway.data_dir });
});
