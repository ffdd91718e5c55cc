// The program of `npm test`: every check and test, or with paths only the tests below them; and of
// `npm test -- --suite long`, which runs those tests at length that depend on time or chance.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openApiDocument } from '@trivium/contract/openapi';
import { findUnproven, readCitations } from '../e2e/coverage.ts';
import { findUndescribed } from '../e2e/described-statuses.ts';
import { makeBundler } from './build/bundle.ts';
import { endCommands, projectRoot, runCommand } from './command.ts';
import { makeRunFolder } from './memory-folder.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { removeWhenWeAreGone } from './postgres-watcher.ts';
import { makeStoreTemplates, type StoreTemplates } from './store-templates.ts';
import { filesOfShard, findTestFiles, selectSlowFiles, selectTestFiles } from './test-files.ts';
import {
  addUp,
  formatLeftOut,
  formatTotals,
  isGreen,
  readReport,
  type TestReport,
  failedCheck,
} from './test-report.ts';
import { testEnvironment } from './test-environment.ts';
import { startTestHosts, type TestHosts } from './test-hosts.ts';

// Only a test that hangs takes as long: what a test waits for has a limit of its own.
const testTimeoutMs = 10 * 60_000;
const checkLimitMs = 10 * 60_000;
const runLimitMs = 30 * 60_000;
/** Processes in which gateways of tests run; a chosen path needs one. */
const wholeRunHosts = 2;
const longRunLimitMs = 24 * 60 * 60_000;
const signalExitBase = 128;
const nameColumn = 12;
/** Their lengths are in e2e/lengths.ts. */
const longTests = [
  'e2e/chaos',
  'e2e/billing/native-options.test.ts',
  'e2e/scenarios/fuzz.test.ts',
  'e2e/scenarios/soak.test.ts',
  'e2e/security/growth.test.ts',
  'server/test/simulation/world/world.test.ts',
  'server/test/simulation/world/shared.test.ts',
];

// These only read files, so they run in parallel. They are reported in this order.
const checks = [
  { name: 'format', command: 'oxfmt', args: ['--check', '.'] },
  {
    name: 'lint, types',
    command: 'oxlint',
    args: ['--type-aware', '--type-check', '--deny-warnings'],
  },
];

/**
 * Most tests end before code that was optimised for them is used, which takes a tenth of their
 * processor time. Only what runs ten times as often as usual is optimised.
 */
const lateOptimising = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '10000',
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: '10000',
  BUN_JSC_thresholdForOptimizeSoon: '10000',
};

const folders = [
  'contract',
  'shared',
  'server',
  'sandbox',
  'sdk',
  'cli',
  'dashboard',
  'docs',
  'scripts',
  'e2e',
  'bench',
];
// Many tests mostly wait for a process they started, so there are more workers than cores. More
// than the maximum would exhaust the connections of PostgreSQL.
const maxWorkers = 8;
let workers = Math.min(maxWorkers, 3 * availableParallelism());
// The slow files and their milliseconds: they start first, and the fast ones fill the gaps.
const timings = join(import.meta.dir, 'test-timings.json');

let postgres: Postgres | undefined;
let templates: StoreTemplates | undefined;
let programs: string | undefined;
let hosts: TestHosts | undefined;
const isLong = process.argv.includes('--long');
const folder = makeRunFolder();
const removeFolder = removeWhenWeAreGone(folder);
// For the tests, their programs and the server.
process.env['TMPDIR'] = folder;
// Every test process appends to them.
const records = { proofs: join(folder, 'proofs'), answers: join(folder, 'answers') };
// A terminal and npm may both send a signal, so the handler stays installed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => abandon(signalExitBase + constants.signals[signal]));
}
try {
  const { values, positionals } = parseArgs({
    options: {
      shard: { type: 'string' },
      long: { type: 'boolean' },
      workers: { type: 'string' },
      'update-timings': { type: 'boolean' },
    },
    allowPositionals: true,
  });
  if (values.workers !== undefined) workers = readWorkers(values.workers);
  const paths = isLong && positionals.length === 0 ? longTests : positionals;
  process.exitCode = await run(paths, values.shard);
  if (values['update-timings']) keepSlowFiles();
} finally {
  hosts?.stop();
  await postgres?.stop();
  await removeFolder();
}

function readWorkers(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= maxWorkers) return count;
  throw new Error(`--workers ${text}: write a number from 1 to ${maxWorkers}.`);
}

/** The first part of several also runs the checks. */
async function run(paths: string[], shard = '1/1'): Promise<number> {
  // What the tests need is made meanwhile.
  const made = prepare(paths);
  const reports = paths.length === 0 && shard.startsWith('1/') ? await runChecks() : [];
  reports.push(...(await runTests(paths, shard, made)));
  const total = addUp(reports);
  if (total.faults.length > 0) {
    process.stdout.write(`\nFailed:\n${total.faults.map((fault) => `  ${fault}\n`).join('')}`);
  }
  for (const one of total.leftOut) process.stdout.write(`\n${formatLeftOut(one)}\n`);
  process.stdout.write(`\n${formatTotals(total)}\n`);
  return isGreen(total) ? 0 : 1;
}

async function runChecks(): Promise<TestReport[]> {
  const runs = checks.map(({ command, args }) =>
    runCommand(join(projectRoot, 'node_modules', '.bin', command), args, {
      capture: true,
      limitMs: checkLimitMs,
    }),
  );
  const reports: TestReport[] = [];
  for (const [index, { name }] of checks.entries()) {
    const result = await runs[index];
    const ok = result?.code === 0;
    say(name, ok, result?.ms ?? 0);
    if (ok) continue;
    process.stdout.write(`${result?.output ?? ''}\n`);
    reports.push(failedCheck(`${name}: see its output above`));
  }
  return reports;
}

/** Returns what went wrong. */
async function prepare(paths: string[]): Promise<string | undefined> {
  const began = performance.now();
  try {
    // The tests kill servers, but not the machine, so fsync is not needed.
    postgres = await startPostgres({ fsync: false, autovacuum: isLong });
    templates = await makeStoreTemplates(postgres.url, folder);
    if (needsPrograms(paths)) {
      programs = await buildPrograms();
      hosts = await startTestHosts(paths.length === 0 ? wholeRunHosts : 1, programs, folder);
    }
    say('PostgreSQL', true, performance.now() - began);
    return undefined;
  } catch (error) {
    say('PostgreSQL', false, performance.now() - began);
    return error instanceof Error ? error.message : String(error);
  }
}

async function runTests(
  paths: string[],
  shard: string,
  made: ReturnType<typeof prepare>,
): Promise<TestReport[]> {
  const fault = await made;
  if (fault !== undefined) return [failedCheck(`PostgreSQL: ${fault}`)];
  if (paths.length > 0) return runChosenTests(paths);
  const times = JSON.parse(readFileSync(timings, 'utf8')) as { files?: Record<string, number> };
  const files = filesOfShard(findTestFiles(folders), shard, times.files ?? {});
  return [await runFiles(files, { whole: true })];
}

/** Only the tests in e2e start them. */
function needsPrograms(paths: string[]): boolean {
  return paths.length === 0 || selectTestFiles(findTestFiles(['e2e']), paths).files.length > 0;
}

async function buildPrograms(): Promise<string> {
  const file = join(folder, 'programs');
  const { toTestPrograms } = await makeBundler();
  await toTestPrograms(file);
  return file;
}

async function runChosenTests(paths: string[]): Promise<TestReport[]> {
  const { files, unmatched } = selectTestFiles(findTestFiles(folders), paths);
  const missing = unmatched.map((path) => failedCheck(`${path}: no test file is at or below it`));
  if (files.length === 0) return missing;
  return [...missing, await runFiles(files, { whole: false })];
}

/** With paths, a developer wants to see every test, and a failure at once. */
async function runFiles(files: string[], { whole }: { whole: boolean }): Promise<TestReport> {
  if (files.length === 0) return failedCheck('tests: no test file was found');
  for (const record of Object.values(records)) writeFileSync(record, '');
  const output = process.env['TRIVIUM_TEST_REPORT'] ?? join(folder, 'tests.xml');
  const flags = whole ? ['--only-failures'] : [];
  const ran = await runOnce(files, { flags, workers, output });
  // A test that was left out proves nothing.
  const incomplete = new Set(ran.leftOut.map(({ file }) => file));
  const complete = files.filter((file) => !incomplete.has(file));
  const undescribed = findUndescribed(readLines(records.answers), openApiDocument());
  return addUp([ran, ...findMissingProofs(complete), ...undescribed.map(failedCheck)]);
}

function readLines(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n');
}

interface Run {
  flags: string[];
  workers: number;
  /** The file of the report. */
  output: string;
}

async function runOnce(files: string[], run: Run): Promise<TestReport> {
  const args = [
    'test',
    '--no-env-file',
    // The workers have their own process groups, and their children must end with them.
    '--no-orphans',
    `--timeout=${isLong ? longRunLimitMs : testTimeoutMs}`,
    `--parallel=${run.workers}`,
    `--timings=${timings}`,
    '--reporter=junit',
    `--reporter-outfile=${run.output}`,
    ...(process.argv.includes('--update-timings') ? ['--update-timings'] : []),
    ...run.flags,
    ...files.map((file) => `./${file}`),
  ];
  const { code, ms } = await runCommand(process.execPath, args, {
    limitMs: isLong ? longRunLimitMs : runLimitMs,
    env: {
      ...testEnvironment(process.env, postgres?.url),
      ...(isLong ? {} : lateOptimising),
      ...templates,
      TRIVIUM_TEST_PROOFS: records.proofs,
      TRIVIUM_TEST_ANSWERS: records.answers,
      ...(isLong ? { TRIVIUM_TEST_LONG: 'on' } : {}),
      ...hosts?.env,
      ...(programs === undefined ? {} : { TRIVIUM_TEST_PROGRAMS: programs }),
    },
  });
  const report = await readReport('tests', run.output, files, code);
  say('tests', isGreen(report), ms);
  return report;
}

/** A requirement that a file cites is proven only if the callback of `proves` ran and passed. */
function findMissingProofs(files: string[]): TestReport[] {
  const proven = new Set(readLines(records.proofs));
  const citations = files
    .filter((file) => file !== 'e2e/coverage.test.ts')
    .flatMap(
      (file) => readCitations(file, readFileSync(join(projectRoot, file), 'utf8')).citations,
    );
  return findUnproven(citations, proven).map(failedCheck);
}

/** Bun writes the time of every file, and keeps the times of files that are gone. */
function keepSlowFiles(): void {
  const { files, ...rest } = JSON.parse(readFileSync(timings, 'utf8')) as {
    files: Record<string, number>;
  };
  const kept = { ...rest, files: selectSlowFiles(files, findTestFiles(folders)) };
  writeFileSync(timings, `${JSON.stringify(kept, null, 2)}\n`);
}

function say(name: string, ok: boolean, ms: number): void {
  const seconds = (ms / 1000).toFixed(1);
  process.stdout.write(`${name.padEnd(nameColumn)}${ok ? 'ok    ' : 'FAILED'} ${seconds} s\n`);
}

// Watchers remove PostgreSQL and the folder as soon as this process is gone.
function abandon(exitCode: number): void {
  endCommands();
  process.exit(exitCode);
}
