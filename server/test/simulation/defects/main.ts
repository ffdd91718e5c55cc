// The program of `npm run simulate -- defects`: puts each former defect back, in a copy of the project,
// and counts the seeds that find it. A simulation that finds none of them proves nothing.
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Glob } from 'bun';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    /** The first seed; the others follow it. */
    from: { type: 'string', default: '1' },
    only: { type: 'string' },
    /** Several gateways on PostgreSQL. */
    shared: { type: 'boolean', default: false },
  },
});
const root = resolve(import.meta.dir, '../../../..');
const seeds = values.seeds ?? (values.shared ? '40' : '200');
/** Those of one gateway that several have as well; `shared/` has the others in a form of their own. */
const ofBoth = ['acknowledged-before-stored', 'claim-outlives-hold', 'rewritten-keys'];
const patches = [...new Glob('**/*.patch').scanSync(import.meta.dir)]
  .filter((path) => {
    const isOfSeveral = path.startsWith('shared/') || ofBoth.includes(nameOf(path));
    return values.shared ? isOfSeveral : !path.startsWith('shared/');
  })
  .filter((path) => values.only === undefined || nameOf(path).startsWith(values.only))
  .toSorted();
if (patches.length === 0) throw new Error('there is no such defect');

interface Result {
  runs: number;
  failed: number[];
  rules: Record<string, number>;
}

for (const patch of patches) {
  const folder = join(mkdtempSync(join(tmpdir(), 'trivium-defect-')), 'copy');
  run(root, 'git', 'worktree', 'add', '--detach', folder, 'HEAD');
  try {
    for (const place of ['node_modules', 'server/node_modules']) {
      if (existsSync(join(root, place))) symlinkSync(join(root, place), join(folder, place));
    }
    // The comments around its lines may have changed.
    run(folder, 'git', 'apply', '-C1', join(import.meta.dir, patch));
    const { runs, failed, rules } = simulate(folder);
    const inOrder = Object.entries(rules).toSorted((one, other) => other[1] - one[1]);
    const [rule = 'none'] = inOrder[0] ?? [];
    process.stdout.write(
      `| ${nameOf(patch)} | ${failed.length} of ${runs} | ${failed[0] ?? '-'} | ${rule} |\n`,
    );
    if (failed.length === 0) process.exitCode = 1;
  } finally {
    run(root, 'git', 'worktree', 'remove', '--force', folder);
    rmSync(join(folder, '..'), { recursive: true, force: true });
  }
}

function simulate(folder: string): Result {
  const program = join(folder, 'server/test/simulation/world/main.ts');
  const options = [
    '--seeds',
    seeds,
    '--from',
    values.from,
    '--count',
    ...(values.shared ? ['--shared'] : []),
  ];
  const command = [process.execPath, '--no-env-file', program, ...options];
  const { stdout } = Bun.spawnSync(command, { cwd: folder, stderr: 'inherit' });
  const line = stdout
    .toString()
    .split('\n')
    .find((one) => one.startsWith('{'));
  if (line === undefined) throw new Error(`no result: ${stdout.toString()}`);
  return JSON.parse(line) as Result;
}

function nameOf(path: string): string {
  return basename(path, '.patch');
}

function run(cwd: string, ...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd });
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr.toString()}`);
}
