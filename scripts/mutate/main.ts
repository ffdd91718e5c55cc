// The program of `npm test -- --suite mutate`: puts small defects into the server, one at a time, and
// says which of them no test notices.
//
//   --sample 40     how many mutants are drawn by lot (all of them without it)
//   --seed 1        which lot
//   --since main    only lines that changed since a commit
//   paths           only files at or below them
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';
import { makeRandom } from '../../e2e/random.ts';
import { isTest, readProject } from '../../server/test/tidy/source.ts';
import { projectRoot, runCommand } from '../command.ts';
import { makeRunFolder } from '../memory-folder.ts';
import { startPostgres } from '../postgres.ts';
import { removeWhenWeAreGone } from '../postgres-watcher.ts';
import { makeStoreTemplates } from '../store-templates.ts';
import { testEnvironment } from '../test-environment.ts';
import { makeTestChooser } from './choose-tests.ts';
import { applyMutant, type Mutant, mutantsOf } from './mutants.ts';

const modules = [
  ...['accounts', 'billing', 'cache', 'events', 'negotiation', 'policy', 'requests', 'store'],
  ...['transcription', 'uploads', 'upstream'],
];
/** A defect that makes a test wait for ever is noticed. */
const limitMs = 10 * 60_000;
const testTimeoutMs = 60_000;
const workers = 3;

const { values, positionals } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    since: { type: 'string' },
  },
  allowPositionals: true,
});
const folder = makeRunFolder();
const removeFolder = removeWhenWeAreGone(folder);
process.env['TMPDIR'] = folder;
const postgres = await startPostgres({ fsync: false });
try {
  const env = {
    ...testEnvironment(process.env, postgres.url),
    ...(await makeStoreTemplates(postgres.url, folder)),
  };
  const copy = copyProject();
  process.exitCode = await tryMutants(draw(listMutants(copy)), copy, env);
} finally {
  await postgres.stop();
  await removeFolder();
}

function listMutants(copy: string): Mutant[] {
  const files = modules.flatMap((module) => [
    ...new Glob(`server/src/${module}/**/*.ts`).scanSync({ cwd: copy }),
  ]);
  const isAsked = (file: string) =>
    positionals.length === 0 || positionals.some((path) => `${file}/`.startsWith(`${path}/`));
  return files
    .filter((file) => !isTest(file) && isAsked(file))
    .sort()
    .flatMap((file) => {
      const changed = values.since === undefined ? undefined : changedLines(file, values.since);
      return mutantsOf(file, readFileSync(join(copy, file), 'utf8')).filter(
        ({ line }) => changed?.has(line) ?? true,
      );
    });
}

function changedLines(file: string, since: string): Set<number> {
  const { stdout } = spawnSync('git', ['diff', '--unified=0', since, '--', file], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  const hunks = [...stdout.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)];
  return new Set(
    hunks.flatMap(([, from, count = '1']) =>
      Array.from({ length: Number(count) }, (_, index) => Number(from) + index),
    ),
  );
}

function draw(mutants: Mutant[]): Mutant[] {
  const { below } = makeRandom(Number(values.seed));
  const lot = mutants.map((mutant) => ({ mutant, at: below(2 ** 32) }));
  const count = Number(values.sample ?? mutants.length);
  if (!(count > 0)) throw new Error('No mutant is drawn: check --sample, --since and the paths.');
  write(`${Math.min(count, mutants.length)} of ${mutants.length} mutants`);
  return lot
    .toSorted((one, other) => one.at - other.at)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

/** What is committed or staged, so that a developer's files never have a defect in them. */
function copyProject(): string {
  const copy = join(folder, 'project');
  spawnSync('git', ['checkout-index', '--all', `--prefix=${copy}/`], { cwd: projectRoot });
  for (const path of ['node_modules', 'server/node_modules']) {
    symlinkSync(join(projectRoot, path), join(copy, path));
  }
  return copy;
}

type Environment = Record<string, string | undefined>;

async function tryMutants(mutants: Mutant[], copy: string, env: Environment): Promise<number> {
  const choose = makeTestChooser(readProject());
  const survivors: string[] = [];
  const noticedBy = new Set<string>();
  const modulesOf = (all: readonly string[]) => all.map((place) => place.split('/')[2] ?? '');
  for (const mutant of mutants) {
    const path = join(copy, mutant.file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(path, applyMutant(source, mutant));
    const by = await findFailure(choose(mutant.file), copy, env);
    writeFileSync(path, source);
    const described = `${mutant.file}:${mutant.line} ${mutant.kind}`;
    if (by === undefined) survivors.push(described);
    else noticedBy.add(by);
    write(`${by === undefined ? 'SURVIVED' : 'killed  '} ${described}  ${by ?? ''}`);
  }
  const left = Map.groupBy(modulesOf(survivors), (module) => module);
  const all = Map.groupBy(modulesOf(mutants.map(({ file }) => file)), (module) => module);
  for (const [module, { length }] of [...all].sort()) {
    write(`${module.padEnd(16)}${length - (left.get(module)?.length ?? 0)} of ${length}`);
  }
  write(`\nSurvived:\n  ${survivors.join('\n  ')}`);
  write(`\n${mutants.length - survivors.length} of ${mutants.length} killed`);
  // Tests that fail without a defect say nothing about one.
  const unreliable: string[] = [];
  for (const file of noticedBy) {
    if ((await findFailure([file], copy, env)) !== undefined) unreliable.push(file);
  }
  if (unreliable.length > 0) write(`These fail without a defect: ${unreliable.join(', ')}`);
  return unreliable.length > 0 ? 1 : 0;
}

/** Returns the test file that failed first. */
async function findFailure(
  files: readonly string[],
  copy: string,
  env: Environment,
): Promise<string | undefined> {
  const flags = ['--no-env-file', '--no-orphans', '--bail', '--only-failures'];
  const limits = [`--timeout=${testTimeoutMs}`, `--parallel=${workers}`];
  const { code, output } = await runCommand(
    process.execPath,
    ['test', ...flags, ...limits, ...files.map((file) => `./${file}`)],
    { capture: true, limitMs, env, cwd: copy },
  );
  if (code === 0 || files.length === 0) return undefined;
  const shown = output.slice(0, output.indexOf('(fail)')).match(/^\S+\.test\.ts(?=:$)/gm);
  return shown?.at(-1) ?? files[0];
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
