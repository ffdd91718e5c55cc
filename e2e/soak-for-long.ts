// The soak test as a program: half an hour by default, or the given number of minutes.
import { auditStore } from './audit-store.ts';
import { startGateway } from './harness.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { growthOf, soak } from './soak.ts';

const defaultMinutes = 30;
const maxGrowth = 1.25;

const minutes = Number(process.argv[2] ?? defaultMinutes);
await using sandbox = await startSandboxProcess();
await using gateway = await startGateway({
  sandbox: sandbox.url,
  env: { TRIVIUM_BOOTSTRAP_BALANCE_USD: '1000000' },
});
const report = await soak(gateway, sandbox, { seconds: minutes * 60, workers: 16, seed: 1 });
await gateway.stop();
await auditStore({ TRIVIUM_DATA_DIR: gateway.data_dir });
const [memory, files] = [growthOf(report.memoryBytes), growthOf(report.openFiles)];
const megabytes = (report.memoryBytes.at(-1) ?? 0) / 1e6;
const lines = [
  ...[...report.statuses].map(([status, count]) => `status ${status}  ${count}`),
  `memory     ${megabytes.toFixed(0)} MB, grew by a factor of ${memory.toFixed(3)}`,
  `open files ${report.openFiles.at(-1) ?? 0}, grew by a factor of ${files.toFixed(3)}`,
  'ledger     correct',
  ...report.unexpected.map((answer) => `UNEXPECTED ${answer}`),
];
process.stdout.write(`${lines.join('\n')}\n`);
const healthy = report.unexpected.length === 0 && memory < maxGrowth && files < maxGrowth;
process.exitCode = healthy ? 0 : 1;
