// A mixed load with failing providers: memory and files stay bounded, and the ledger is correct.
import { expect, test } from 'bun:test';
import { auditStore } from '../audit-store.ts';
import { readGauge } from '../gauges.ts';
import { startGateway } from '../harness.ts';
import { startSandboxProcess } from '../sandbox-process.ts';
import { growthOf, soak } from '../soak.ts';

const seconds = 30;
const limitMs = 240_000;

test(
  'a mixed load with failing providers leaks no memory or files, and the ledger is correct',
  async () => {
    await using sandbox = await startSandboxProcess();
    const env = { TRIVIUM_BOOTSTRAP_BALANCE_USD: '100000' };
    await using gateway = await startGateway({ sandbox: sandbox.url, env });
    const report = await soak(gateway, sandbox, { seconds, workers: 8, seed: 7 });
    expect(report.unexpected).toEqual([]);
    expect(report.statuses.get(200)).toBeGreaterThan(100);
    expect(report.statuses.get(502)).toBeGreaterThan(0);
    expect(growthOf(report.memoryBytes)).toBeLessThan(1.4);
    expect(growthOf(report.openFiles)).toBeLessThan(1.4);

    expect(await readGauge(gateway, 'trivium_requests_running')).toBe(1);
    const { body } = await gateway.get('/v1/balance');
    expect(body).toMatchObject({ held_usd: 0 });
    await gateway.stop();
    await auditStore({ TRIVIUM_DATA_DIR: gateway.data_dir });
  },
  limitMs,
);
