// The Python client as users get it: built as a wheel and installed in an empty environment. The
// installation is kept until the wheel changes.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../../scripts/command.ts';
import type { CommandResult } from '../../scripts/command.ts';
import { runToEnd } from '../run-to-end.ts';
import { cloneCache } from '../test-cache.ts';
import { keepCompiled, prepareInstaller } from './environment.ts';

export const pythonFolder = join(projectRoot, 'python');
export const pythonPins = join(pythonFolder, 'tests', 'requirements.txt');

type Missing = { missing: string };

export interface PackedClient {
  /** A folder of this run, removed with the package. */
  folder: string;
  wheel: string;
  /** The installed wheel alone, to be put in front of the packages that the tests need. */
  target: string;
  /** The interpreter of an environment with only the wheel and its dependencies. */
  fresh: string;
  remove: () => Promise<void>;
}

/** `tools` is the interpreter of an environment with the pinned packages of the tests. */
export async function packPythonClient(tools: string): Promise<PackedClient | Missing> {
  const folder = await mkdtemp(join(tmpdir(), 'trivium-wheel-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const dist = join(folder, 'dist');
    const build = ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', dist];
    const sources = 'https://forge.example/trivium';
    const env = { ...process.env, PYTHONPATH: undefined, TRIVIUM_SOURCES: sources };
    const built = await runToEnd([tools, ...keepCompiled, ...build], { cwd: pythonFolder, env });
    if (built.code !== 0) throw new Error(`The wheel was not built:\n${built.out}${built.err}`);
    const [name = ''] = readdirSync(dist);
    const wheel = join(dist, name);
    const installed = await installOnce(tools, wheel);
    if (!('missing' in installed)) return { folder, wheel, ...installed, remove };
    await remove();
    return installed;
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The same sources give the same wheel, byte for byte, and so the same installation. */
async function installOnce(
  tools: string,
  wheel: string,
): Promise<Pick<PackedClient, 'target' | 'fresh'> | Missing> {
  const digest = createHash('sha256').update(readFileSync(wheel)).digest('hex').slice(0, keyLength);
  const kept = join(cloneCache, `${basename(dirname(dirname(tools)))}-clients`);
  const home = join(kept, digest);
  const paths = (folder: string) => ({
    target: join(folder, 'target'),
    fresh: join(folder, 'fresh', basename(dirname(tools)), basename(tools)),
  });
  if (existsSync(home)) return paths(home);
  const installer = await prepareInstaller();
  if ('missing' in installer) return installer;
  rmSync(kept, { recursive: true, force: true });
  const draft = `${home}.${process.pid}`;
  const { target, fresh } = paths(draft);
  assertDone(await installer.install(tools, ['--no-deps', '--target', target, wheel]));
  assertDone(await installer.createEnvironment(join(draft, 'fresh')));
  const installed = await installer.install(fresh, ['--constraint', pythonPins, wheel]);
  if (installed.code !== 0) {
    const reason = installed.output.split('\n').at(-1) ?? '';
    return { missing: `run it once where pip reaches a package index: ${reason}` };
  }
  renameSync(draft, home);
  return paths(home);
}

const keyLength = 16;

function assertDone({ code, output }: CommandResult): void {
  if (code !== 0) throw new Error(`The wheel was not installed:\n${output}`);
}
