// Builds the single executable: `npm run build`, for other platforms with `-- --target linux-arm64`
// (repeatable; `--target all` means every one of them), into another folder with `--out <folder>`.
import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../command.ts';
import { makeBundler } from './bundle.ts';
import { hostName, isTargetName, prepareRuntime, targetNames } from './targets.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: join(projectRoot, 'dist') },
  },
});
const named = values.target.flatMap((name) => (name === 'all' ? targetNames : [name]));
const unknown = named.filter((name) => !isTargetName(name) && name !== hostName());
if (unknown.length > 0) {
  const known = ['all', ...targetNames].join(', ');
  process.stderr.write(`There is no target ${unknown.join(', ')}. Targets: ${known}.\n`);
  process.exit(1);
}

const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const { toExecutable } = await makeBundler();
if (named.length === 0) await build('trivium', hostName());
for (const name of new Set(named)) await build(`trivium-${name}`, name);

async function build(file: string, name: string): Promise<void> {
  const path = join(out, file + (name.startsWith('windows') ? '.exe' : ''));
  const isForeign = name !== hostName() && isTargetName(name);
  await toExecutable(path, isForeign ? await prepareRuntime(name) : undefined);
  const megabytes = (Bun.file(path).size / 1e6).toFixed(0);
  process.stdout.write(`${relative(process.cwd(), path)}  ${name}, ${megabytes} MB\n`);
}
