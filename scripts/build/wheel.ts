// Builds the wheel of the Python client: `npm run build -- python`. Its tools are pinned with the tests'.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { preparePython } from '../../e2e/python/environment.ts';
import { projectRoot } from '../command.ts';
import { readRepository } from './repository.ts';

const limitMs = 2 * 60_000;
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(projectRoot, 'dist') } },
});
const folder = join(projectRoot, 'python');
const requirements = join(folder, 'tests', 'requirements.txt');
const python = await preparePython({ requirements, minorVersion: 10 });
if ('missing' in python) {
  process.stderr.write(`The wheel cannot be built: ${python.missing}.\n`);
  process.exit(1);
}
const { homepage = '' } = await readRepository();
const build = ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', resolve(values.out)];
const { exitCode } = Bun.spawnSync([python.program, ...build], {
  cwd: folder,
  env: { ...process.env, TRIVIUM_SOURCES: homepage },
  stdout: 'inherit',
  stderr: 'inherit',
  timeout: limitMs,
});
process.exit(exitCode);
