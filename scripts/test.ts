// Every check of the project, or with paths only the tests below them: what `npm test` runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { endCommands, PROJECT_ROOT, runCommand } from './command.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { findTestFiles, selectTestFiles } from './test-files.ts';
import {
  addUp,
  formatTotals,
  isGreen,
  readReport,
  type TestReport,
  failedCheck,
} from './test-report.ts';
import { testEnvironment } from './test-environment.ts';

const TEST_TIMEOUT_MS = 60_000;
const CHECK_LIMIT_MS = 10 * 60_000;
const RUN_LIMIT_MS = 30 * 60_000;
const SIGNAL_EXIT_BASE = 128;
const NAME_COLUMN = 12;

// These three only read the files, so they run side by side and are reported in this order.
const CHECKS = [
  { name: 'format', command: 'prettier', args: ['--check', '--log-level=warn', '.'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: 'tsc', args: ['--noEmit'] },
];

const FOLDERS = ['contract', 'server', 'sandbox', 'sdk', 'dashboard', 'scripts', 'e2e'];
// Many tests mostly wait for a process they started, so there may be more of them than cores. More
// than the most would use up the connections of PostgreSQL.
const MOST_WORKERS = 8;
const WORKERS = Math.min(MOST_WORKERS, 2 * availableParallelism());
// The long files and their milliseconds: they begin first, and the short ones fill the gaps.
const TIMINGS = join(import.meta.dir, 'test-timings.json');

let postgres: Postgres | undefined;
const folder = mkdtempSync(join(tmpdir(), 'trivium-test-'));
// A terminal and npm may repeat a signal, so the handler stays.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => abandon(SIGNAL_EXIT_BASE + constants.signals[signal]));
}
try {
  process.exitCode = await run(process.argv.slice(2));
} finally {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function run(paths: string[]): Promise<number> {
  const reports = paths.length === 0 ? await runChecks() : [];
  reports.push(...(await runTests(paths)));
  const total = addUp(reports);
  if (total.faults.length > 0) {
    process.stdout.write(`\nWhat failed:\n${total.faults.map((fault) => `  ${fault}\n`).join('')}`);
  }
  for (const line of total.leftOut) process.stdout.write(`\nLeft out: ${line}\n`);
  process.stdout.write(`\n${formatTotals(total)}\n`);
  return isGreen(total) ? 0 : 1;
}

async function runChecks(): Promise<TestReport[]> {
  const runs = CHECKS.map(({ command, args }) =>
    runCommand(join(PROJECT_ROOT, 'node_modules', '.bin', command), args, {
      capture: true,
      limit_ms: CHECK_LIMIT_MS,
    }),
  );
  const reports: TestReport[] = [];
  for (const [index, { name }] of CHECKS.entries()) {
    const result = await runs[index];
    const ok = result?.code === 0;
    say(name, ok, result?.ms ?? 0);
    if (ok) continue;
    process.stdout.write(`${result?.output ?? ''}\n`);
    reports.push(failedCheck(`${name}: see its output above`));
  }
  return reports;
}

async function runTests(paths: string[]): Promise<TestReport[]> {
  const began = performance.now();
  try {
    // Servers are killed here, machines are not.
    postgres = await startPostgres({ fsync: false });
  } catch (error) {
    say('PostgreSQL', false, performance.now() - began);
    return [failedCheck(`PostgreSQL: ${error instanceof Error ? error.message : String(error)}`)];
  }
  say('PostgreSQL', true, performance.now() - began);
  if (paths.length > 0) return runChosenTests(paths);
  return [await runFiles(findTestFiles(FOLDERS), ['--only-failures'])];
}

async function runChosenTests(paths: string[]): Promise<TestReport[]> {
  const { files, unmatched } = selectTestFiles(findTestFiles(FOLDERS), paths);
  const missing = unmatched.map((path) => failedCheck(`${path}: no test file is at or below it`));
  if (files.length === 0) return missing;
  return [...missing, await runFiles(files, [])];
}

async function runFiles(files: string[], flags: string[]): Promise<TestReport> {
  if (files.length === 0) return failedCheck('tests: there is none, and there should be');
  const output = join(folder, 'tests.xml');
  const args = [
    'test',
    '--no-env-file',
    // The workers have process groups of their own, and what they started must end with them.
    '--no-orphans',
    `--timeout=${TEST_TIMEOUT_MS}`,
    `--parallel=${WORKERS}`,
    `--timings=${TIMINGS}`,
    '--reporter=junit',
    `--reporter-outfile=${output}`,
    ...flags,
    ...files.map((file) => `./${file}`),
  ];
  const { code, ms } = await runCommand(process.execPath, args, {
    limit_ms: RUN_LIMIT_MS,
    env: testEnvironment(process.env, postgres?.url),
  });
  const report = await readReport('tests', output, files, code);
  say('tests', isGreen(report), ms);
  return report;
}

function say(name: string, ok: boolean, ms: number): void {
  const seconds = (ms / 1000).toFixed(1);
  process.stdout.write(`${name.padEnd(NAME_COLUMN)}${ok ? 'ok    ' : 'FAILED'} ${seconds} s\n`);
}

// The guard of PostgreSQL removes it as soon as this process is gone.
function abandon(exitCode: number): void {
  endCommands();
  rmSync(folder, { recursive: true, force: true });
  process.exit(exitCode);
}
