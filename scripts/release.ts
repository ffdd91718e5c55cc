// Makes a release of the version in package.json: `npm run release`. It builds, runs every check,
// writes the bill of materials and the checksums into dist/release, and tags the commit. With
// `--dry-run` it only says whether the release could be made, and what it would do.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { projectRoot, runCommand } from './command.ts';
import { billOf, readPackages } from './sbom.ts';

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    /** As for `npm run build`; every platform unless some are named. */
    target: { type: 'string', multiple: true, default: ['all'] },
  },
});
const { version } = manifest;
const tag = `v${version}`;
const folder = join(projectRoot, 'dist', 'release');
const limitMs = 60 * 60_000;

interface Step {
  says: string;
  run: () => Promise<void> | void;
}

const targets = values.target.flatMap((target) => ['--target', target]);
const steps: Step[] = [
  {
    says: 'run every check: npm test',
    run: () => run('npm', ['test']),
  },
  {
    says: 'compare the cost of a request with the last release: npm run bench -- guard',
    run: () => run('npm', ['run', 'bench', '--', 'guard']),
  },
  {
    says: `build the executables (${values.target.join(', ')}) into dist/release`,
    run: async () => {
      rmSync(folder, { recursive: true, force: true });
      await run('npm', ['run', 'build', '--', '--out', folder, ...targets]);
    },
  },
  {
    says: 'build and pack the npm packages into dist/release',
    run: () => run('npm', ['run', 'build', '--', 'npm', '--out', folder]),
  },
  {
    says: 'build the wheel of the Python client into dist/release',
    run: () => run('npm', ['run', 'build', '--', 'python', '--out', folder]),
  },
  {
    says: 'write the bill of materials and the checksums into dist/release',
    run: () => {
      const bill = `${JSON.stringify(billOf(readPackages()), undefined, 2)}\n`;
      writeFileSync(join(folder, `trivium-${version}.cdx.json`), bill);
      writeFileSync(join(folder, 'SHA256SUMS'), checksumsOf(folder));
    },
  },
  {
    says: `tag the commit: ${tag}`,
    run: () => run('git', ['tag', '--annotate', tag, '--message', `Trivium ${version}`]),
  },
];

const faults = await findFaults();
if (faults.length > 0) {
  process.stderr.write(`${version} cannot be released:\n${list(faults)}`);
  process.exit(1);
}
if (values['dry-run']) {
  process.stdout.write(`${version} can be released. It would:\n${list(steps.map((s) => s.says))}`);
} else {
  for (const step of steps) {
    process.stdout.write(`${step.says}\n`);
    await step.run();
  }
  process.stdout.write(`Released ${tag}. Publish what is in dist/release, and push the tag.\n`);
}

/** All of them at once, so that one run is enough to see what is missing. */
async function findFaults(): Promise<string[]> {
  const found: string[] = [];
  const changes = await read('git', ['status', '--porcelain']);
  if (changes !== '') found.push('the working tree has changes: commit them first');
  if ((await read('git', ['tag', '--list', tag])) !== '') {
    found.push(`the tag ${tag} exists: raise the version in package.json`);
  }
  const fault = faultInChangelog(readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8'));
  if (fault !== undefined) found.push(fault);
  return found;
}

function faultInChangelog(text: string): string | undefined {
  const [, first, changes = ''] =
    /^## \[?([^\]\s]+)\]?[^\n]*\n([^]*?)(?=^## |$(?![^]))/m.exec(text) ?? [];
  if (first !== version) return `CHANGELOG.md must begin with ## [${version}], not ${first}`;
  return changes.trim() === '' ? `CHANGELOG.md says nothing about ${version}` : undefined;
}

/** In the format of sha256sum, which checks it. */
function checksumsOf(from: string): string {
  const files = readdirSync(from).toSorted();
  const digest = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(from, file)))
      .digest('hex');
  return files.map((file) => `${digest(file)}  ${file}\n`).join('');
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join('');
}

async function run(command: string, args: string[]): Promise<void> {
  const { code } = await runCommand(command, args, { limitMs });
  if (code === 0) return;
  process.stderr.write(`${command} ${args.join(' ')} ended with ${code}: nothing was tagged.\n`);
  process.exit(1);
}

async function read(command: string, args: string[]): Promise<string> {
  const { code, output } = await runCommand(command, args, { limitMs, capture: true });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${output}`);
  return output;
}
