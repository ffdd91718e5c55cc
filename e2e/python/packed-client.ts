// The Python client as users get it: built as a wheel and installed in an empty environment.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
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
    const target = join(folder, 'target');
    await run(tools, ['-m', 'pip', 'install', ...quiet, '--no-deps', '--target', target, wheel]);
    const fresh = await installAlone(tools, wheel, join(folder, 'fresh'));
    if (typeof fresh === 'string') return { folder, wheel, target, fresh, remove };
    await remove();
    return fresh;
  } catch (error) {
    await remove();
    throw error;
  }
}

const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];

/** Installs offline from the cache of an earlier run, else from the index. */
async function installAlone(
  tools: string,
  wheel: string,
  folder: string,
): Promise<string | Missing> {
  await run(tools, ['-m', 'venv', '--without-pip', folder]);
  const program = join(folder, basename(dirname(tools)), basename(tools));
  const kept = `${dirname(dirname(tools))}-wheels`;
  mkdirSync(kept, { recursive: true });
  const offline = [...quiet, '--no-index', '--find-links', kept];
  const install = ['-m', 'pip', '--python', program, 'install', ...offline, wheel];
  const installed = await attempt(tools, install);
  if (installed.code === 0) return program;
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
  return program;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { code, out, err } = await attempt(program, args);
  if (code !== 0) throw new Error(`python ${args.join(' ')} ended with ${code}:\n${out}${err}`);
}

function attempt(program: string, args: readonly string[]) {
  const env = { ...process.env, PYTHONPATH: undefined, PYTHONDONTWRITEBYTECODE: '1' };
  return runToEnd([program, ...args], { cwd: pythonFolder, env });
}
