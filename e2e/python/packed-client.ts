// The Python client as users get it: built as a wheel and installed in an empty environment. The
// installation is kept until the wheel changes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../../scripts/command.ts';
import { runToEnd } from '../run-to-end.ts';

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
    await run(tools, ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', dist]);
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
  const kept = `${dirname(dirname(tools))}-clients`;
  const home = join(kept, digest);
  const paths = (folder: string) => ({
    target: join(folder, 'target'),
    fresh: join(folder, 'fresh', basename(dirname(tools)), basename(tools)),
  });
  if (existsSync(home)) return paths(home);
  rmSync(kept, { recursive: true, force: true });
  const draft = `${home}.${process.pid}`;
  const { target } = paths(draft);
  await run(tools, ['-m', 'pip', 'install', ...quiet, '--no-deps', '--target', target, wheel]);
  const failure = await installAlone(tools, wheel, join(draft, 'fresh'));
  if (failure !== undefined) return failure;
  renameSync(draft, home);
  return paths(home);
}

const keyLength = 16;
const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];

/** Installs offline from the cache of an earlier run, else from the index. */
async function installAlone(
  tools: string,
  wheel: string,
  folder: string,
): Promise<Missing | undefined> {
  await run(tools, ['-m', 'venv', '--without-pip', folder]);
  const program = join(folder, basename(dirname(tools)), basename(tools));
  const kept = `${dirname(dirname(tools))}-wheels`;
  mkdirSync(kept, { recursive: true });
  const offline = [...quiet, '--no-index', '--find-links', kept];
  const install = ['-m', 'pip', '--python', program, 'install', ...offline, wheel];
  const installed = await attempt(tools, install);
  if (installed.code === 0) return undefined;
  const draft = `${kept}.${process.pid}`;
  try {
    const flags = [...quiet, '--constraint', pythonPins, '--dest', draft];
    const { code, err } = await attempt(tools, ['-m', 'pip', 'download', ...flags, wheel]);
    if (code !== 0) {
      const reason = err.trim().split('\n').at(-1) ?? '';
      return { missing: `run it once where pip reaches a package index: ${reason}` };
    }
    for (const name of readdirSync(draft)) {
      if (!name.startsWith('trivium_client-')) renameSync(join(draft, name), join(kept, name));
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  await run(tools, install);
  return undefined;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { code, out, err } = await attempt(program, args);
  if (code !== 0) throw new Error(`python ${args.join(' ')} ended with ${code}:\n${out}${err}`);
}

function attempt(program: string, args: readonly string[]) {
  const env = { ...process.env, PYTHONPATH: undefined, PYTHONDONTWRITEBYTECODE: '1' };
  return runToEnd([program, ...args], { cwd: pythonFolder, env });
}
