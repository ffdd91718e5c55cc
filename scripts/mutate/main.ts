// The program of `npm test -- --suite mutate`: puts small defects into the server, one at a time, and
// says which of them no test notices.
//
//   --sample 40     how many mutants are drawn by lot (all of them without it)
//   --seed 1        which lot
//   --since main    only lines that changed since a commit
//   paths           only files at or below them
//
// survivors.json lists mutants that are left out, each with the reason why no test can notice it, or
// with the test that starts a program and does.
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';
import { isTest, readProject } from '../../server/test/tidy/source.ts';
import { projectRoot, runCommand } from '../command.ts';
import { makeRunFolder } from '../memory-folder.ts';
import { startPostgres } from '../postgres.ts';
import { removeWhenWeAreGone } from '../postgres-watcher.ts';
import { makeStoreTemplates } from '../store-templates.ts';
import { testEnvironment } from '../test-environment.ts';
import { type Coverage, makeReach, type Measured, readCoverage } from './coverage.ts';
import { applyMutant, type Mutant, readSource } from './mutants.ts';
import survivors from './survivors.json' with { type: 'json' };

const modules =
  'accounts,billing,cache,events,negotiation,policy,requests,store,transcription,uploads,upstream';
const measureLimitMs = 90_000;
const testTimeoutMs = 30_000;
/** The tests of one process take this long without a mutant; slower ones run alone. */
const groupMs = 10_000;
/** A mutant that tests of this length do not notice has survived. */
const maxTestMs = 90_000;

const { values, positionals } = parseArgs({
  options: {
    sample: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    since: { type: 'string' },
  },
  allowPositionals: true,
});
const folder = makeRunFolder();
const removeFolder = removeWhenWeAreGone(folder);
process.env['TMPDIR'] = folder;
const postgres = await startPostgres({ fsync: false, autovacuum: false });
try {
  await tryMutants({
    ...testEnvironment(process.env, postgres.url),
    ...(await makeStoreTemplates(postgres.url, folder)),
  });
} finally {
  await postgres.stop();
  await removeFolder();
}

type Environment = Record<string, string | undefined>;

async function tryMutants(env: Environment): Promise<void> {
  const copies = Array.from({ length: availableParallelism() }, (_, index) => copyProject(index));
  const sources = readSources(copies[0] ?? '');
  const all = [...sources].flatMap(([file, source]) => readSource(file, source).mutants);
  const nameOf = ({ file, kind, line }: Mutant) =>
    `${file} ${kind}: ${sources.get(file)?.split('\n')[line - 1]?.trim()}`;
  const names = new Set(all.map(nameOf));
  const listed = new Map(Object.entries(survivors));
  for (const name of listed.keys()) if (!names.has(name)) write(`survivors.json: no ${name}`);
  const lot = draw(all.filter(isAsked));
  const drawn = lot.filter((mutant) => !listed.has(nameOf(mutant)));
  write(`${lot.length} of ${all.length} mutants, ${lot.length - drawn.length} of them listed`);
  const project = readProject(copies[0]);
  const inThread = new Set(makeReach(project)('server/src/app/store-thread.ts').reached);
  // The thread of the embedded store is otherwise a program that was compiled before.
  const fromSources = { ...env, TRIVIUM_TEST_STORE_THREAD: undefined };
  const files = new Set(drawn.map(({ file }) => file));
  const put = (copy: string, textOf: (file: string, source: string) => string) =>
    sources.forEach((source, file) => writeFileSync(join(copy, file), textOf(file, source)));
  const coverage = await readCoverage(project, files, async (tests, add) => {
    write(`measures the coverage of ${tests.length} tests`);
    for (const copy of copies)
      put(copy, (file, source) => readSource(file, source, `${copy}/hits.ts`).instrumented);
    await inParallel(copies, tests, async (copy, test) =>
      add(test, await measure(copy, test, fromSources)),
    );
    for (const copy of copies) put(copy, (_file, source) => source);
  });
  const broken = [...coverage].filter(([, { passes }]) => !passes).map(([test]) => test);
  if (broken.length > 0) write(`Not used, because they fail or take too long: ${broken.join(' ')}`);
  const kills = new Map<string, number>();
  const survived: string[] = [];
  await inParallel(copies, drawn, async (copy, mutant) => {
    const path = join(copy, mutant.file);
    const source = sources.get(mutant.file) ?? '';
    writeFileSync(path, applyMutant(source, mutant));
    const tests = chooseTests(mutant, coverage, kills);
    const by = await findFailure(tests, copy, inThread.has(mutant.file) ? fromSources : env);
    writeFileSync(path, source);
    const shown = `${mutant.file}:${mutant.line} ${mutant.kind}`;
    if (by === undefined) survived.push(shown);
    else kills.set(`${mutant.file} ${by}`, (kills.get(`${mutant.file} ${by}`) ?? 0) + 1);
    write(`${by === undefined ? 'SURVIVED' : 'killed  '} ${shown}  ${by ?? tests.length}`);
  });
  const moduleOf = (shown: string) => shown.split('/')[2] ?? '';
  for (const [module, { length }] of Map.groupBy(drawn, ({ file }) => moduleOf(file))) {
    const left = survived.filter((shown) => moduleOf(shown) === module).length;
    write(`${module.padEnd(16)}${length - left} of ${length}`);
  }
  write(`\nSurvived:\n  ${survived.toSorted().join('\n  ')}`);
  write(`\n${drawn.length - survived.length} of ${drawn.length} killed`);
}

function readSources(copy: string): Map<string, string> {
  const files = [...new Glob(`server/src/{${modules}}/**/*.ts`).scanSync({ cwd: copy })];
  const ours = files.filter((file) => !isTest(file)).sort();
  return new Map(ours.map((file) => [file, readFileSync(join(copy, file), 'utf8')]));
}

function isAsked({ file, line }: Mutant): boolean {
  if (values.since !== undefined && !changedLines(file, values.since).has(line)) return false;
  return positionals.length === 0 || positionals.some((path) => `${file}/`.startsWith(`${path}/`));
}

const changed = new Map<string, Set<number>>();

function changedLines(file: string, since: string): Set<number> {
  return changed.getOrInsertComputed(file, () => {
    const args = ['diff', '--unified=0', since, '--', file];
    const { stdout } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
    const hunks = [...stdout.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)];
    const linesOf = ([, from, count = '1']: RegExpExecArray) =>
      Array.from({ length: Number(count) }, (_, index) => Number(from) + index);
    return new Set(hunks.flatMap(linesOf));
  });
}

/** The lot of a mutant does not depend on other files. */
function draw(mutants: Mutant[]): Mutant[] {
  const count = Number(values.sample);
  if (!(count > 0 && mutants.length > 0)) {
    throw new Error('No mutant is drawn: check --sample, --since and the paths.');
  }
  const lot = ({ file, start, text }: Mutant) =>
    Number(Bun.hash(`${values.seed} ${file} ${start} ${text}`) % 2n ** 32n);
  return mutants.toSorted((one, other) => lot(one) - lot(other)).slice(0, count);
}

/** What is committed or staged, so that a developer's files never have a defect in them. */
function copyProject(index: number): string {
  const copy = join(folder, `project-${index}`);
  spawnSync('git', ['checkout-index', '--all', `--prefix=${copy}/`], { cwd: projectRoot });
  for (const path of ['node_modules', 'server/node_modules']) {
    symlinkSync(join(projectRoot, path), join(copy, path));
  }
  const hits = `import { appendFileSync } from 'node:fs';
    const seen = new Set();
    export function hit(block) {
      if (seen.size < seen.add(block).size) appendFileSync('${copy}/hits', block + '\\n');
    }`;
  writeFileSync(join(copy, 'hits.ts'), hits);
  return copy;
}

/** The tests of each copy share nothing with those of another. */
async function inParallel<Item>(
  copies: string[],
  items: Item[],
  act: (copy: string, item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const work = async (copy: string) => {
    for (const item of left) await act(copy, item);
  };
  await Promise.all(copies.map(work));
}

/** Each copy has the sources that say which blocks are entered, until all tests were measured. */
async function measure(copy: string, test: string, env: Environment): Promise<Measured> {
  const hits = join(copy, 'hits');
  writeFileSync(hits, '');
  const { code, ms } = await runTests([test], copy, env, measureLimitMs);
  return { ms, passes: code === 0, blocks: [...new Set(readFileSync(hits, 'utf8').split('\n'))] };
}

/**
 * First those that noticed other mutants of the file, those that enter much of it and little else,
 * and the fastest.
 */
function chooseTests(
  { file, block }: Mutant,
  coverage: Coverage,
  kills: ReadonlyMap<string, number>,
): [test: string, ms: number][] {
  const able = [...coverage].filter(([, { passes, blocks }]) => passes && blocks.includes(block));
  const rank = ([test, { ms, blocks }]: [string, Measured]) =>
    (ms * blocks.length ** 2) /
    (1 + 4 * (kills.get(`${file} ${test}`) ?? 0)) /
    blocks.filter((one) => one.startsWith(`${file}#`)).length ** 6;
  const tests = able.toSorted((one, other) => rank(one) - rank(other));
  let left = maxTestMs;
  return tests.filter(([, { ms }]) => (left -= ms) > 0).map(([test, { ms }]) => [test, ms]);
}

/** Returns the test file that failed first. */
async function findFailure(
  tests: readonly [test: string, ms: number][],
  copy: string,
  env: Environment,
): Promise<string | undefined> {
  let sum = 0;
  for (const group of Map.groupBy(tests, ([, ms]) => Math.floor((sum += ms) / groupMs)).values()) {
    const names = group.map(([test]) => test);
    const usualMs = group.reduce((total, [, ms]) => total + ms, 0);
    const { code, output } = await runTests(names, copy, env, testTimeoutMs + 3 * usualMs);
    if (code === 0) continue;
    const shown = output.slice(0, output.indexOf('(fail)')).match(/^\S+\.test\.ts(?=:$)/gm);
    return shown?.at(-1) ?? names[0];
  }
  return undefined;
}

function runTests(tests: readonly string[], copy: string, env: Environment, limitMs: number) {
  const flags = ['--no-env-file', '--no-orphans', '--bail', '--only-failures', '--isolate'];
  const files = tests.map((test) => `./${test}`);
  const args = ['test', ...flags, `--timeout=${testTimeoutMs}`, ...files];
  return runCommand(process.execPath, args, { capture: true, limitMs, env, cwd: copy });
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
