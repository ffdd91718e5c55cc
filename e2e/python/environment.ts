// A virtual environment with pinned Python packages, outside the tracked files: created once and
// used offline afterwards. If it cannot be created, the reason names what is missing. pip installs
// only uv, which then installs the packages in a fifteenth of the processor time.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../../scripts/command.ts';
import type { CommandResult } from '../../scripts/command.ts';
import { sharedCache } from '../test-cache.ts';

export type Python = { program: string } | { missing: string };

const defaultMinorVersion = 11;
const askLimitMs = 60_000;
const installLimitMs = 10 * 60_000;
const keyLength = 16;
const lockPollMs = 100;
const versionQuestion = 'import sys, platform; print(*sys.version_info[:2], platform.platform())';
const pinnedRequirements = join(import.meta.dir, 'requirements.txt');
const pinnedInstaller = join(import.meta.dir, 'uv.txt');

/** uv compiles nothing, so the first program that imports a module does it for all others. */
export const keepCompiled = ['-X', `pycache_prefix=${join(sharedCache, 'python-compiled')}`];

type Options = {
  cache?: string;
  requirements?: string;
  /** The oldest supported Python 3. */
  minorVersion?: number;
  env?: Record<string, string | undefined>;
};

/** Finds or creates the environment; concurrent runs share it. */
export async function preparePython(options: Options = {}): Promise<Python> {
  const { cache = sharedCache, env = process.env } = options;
  const requirements = options.requirements ?? pinnedRequirements;
  const { minorVersion = defaultMinorVersion } = options;
  const base = await findPython(env, minorVersion);
  if (base === undefined) {
    return { missing: `install Python 3.${minorVersion} or newer, with venv and pip` };
  }
  const key = createHash('sha256')
    .update(readFileSync(requirements))
    .update(base.version)
    .digest('hex')
    .slice(0, keyLength);
  const folder = join(cache, `python-${key}`);
  const ready = { program: programIn(folder) };
  if (existsSync(ready.program)) return ready;
  mkdirSync(cache, { recursive: true });
  using _turn = await takeTurn(`${folder}.lock`);
  if (existsSync(ready.program)) return ready;
  // The interpreter that it was made with is gone.
  rmSync(folder, { recursive: true, force: true });
  const draft = `${folder}.${process.pid}`;
  try {
    const failure =
      requirements === pinnedInstaller
        ? await installInstaller(base.program, draft, env)
        : await install(draft, requirements, options);
    if (failure !== undefined) return { missing: failure };
    publish(draft, folder);
    return ready;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function findPython(env: Options['env'], minorVersion: number) {
  for (const program of ['python3', 'python']) {
    const asked = await runCommand(program, ['-c', versionQuestion], {
      capture: true,
      limitMs: askLimitMs,
      env: env ?? {},
    });
    const [, major, minor] = /^(\d+) (\d+) /.exec(asked.output) ?? [];
    if (asked.code === 0 && major === '3' && Number(minor) >= minorVersion) {
      return { program, version: asked.output };
    }
  }
  return undefined;
}

export interface Installer {
  /** Creates an environment without packages. */
  createEnvironment: (folder: string) => Promise<CommandResult>;
  /** Installs for an interpreter what the arguments of `pip install` say. */
  install: (python: string, args: readonly string[]) => Promise<CommandResult>;
  /** The newest release in the index, or why it is unknown. */
  newestRelease: (name: string) => Promise<{ version: string } | { missing: string }>;
}

export async function prepareInstaller(
  options: Options = {},
): Promise<Installer | { missing: string }> {
  const tools = await preparePython({ ...options, requirements: pinnedInstaller });
  if ('missing' in tools) return tools;
  const { env = process.env } = options;
  const uv = join(dirname(tools.program), process.platform === 'win32' ? 'uv.exe' : 'uv');
  const run = (program: string, args: string[]) =>
    runCommand(program, args, { capture: true, limitMs: installLimitMs, env });
  return {
    createEnvironment: (folder) => run(uv, ['venv', '--quiet', '--python', tools.program, folder]),
    install: async (python, args) => {
      const done = await run(uv, ['pip', 'install', '--python', python, ...wheelsOnly, ...args]);
      if (done.code === 0) return done;
      // pip may be set up for an index that uv does not know.
      return run(tools.program, ['-m', 'pip', '--python', python, 'install', ...pipFlags, ...args]);
    },
    newestRelease: async (name) => {
      const flags = ['--disable-pip-version-check', '--no-input'];
      const asked = await run(tools.program, ['-m', 'pip', 'index', 'versions', ...flags, name]);
      // The first line, such as `exa-py (2.27.0)`.
      const [, version] = /^\S+ \(([^)\s]+)\)/m.exec(asked.output) ?? [];
      return asked.code === 0 && version !== undefined
        ? { version }
        : { missing: reasonIn(asked.output) };
    },
  };
}

// Nothing is compiled, and no package code runs during the installation.
const wheelsOnly = ['--quiet', '--only-binary=:all:'];
const pipFlags = [...wheelsOnly, '--disable-pip-version-check', '--no-input', '--no-compile'];

/** Returns what to install if it fails. */
async function install(
  folder: string,
  requirements: string,
  options: Options,
): Promise<string | undefined> {
  const installer = await prepareInstaller(options);
  if ('missing' in installer) return installer.missing;
  const made = await installer.createEnvironment(folder);
  if (made.code !== 0) return `uv created no environment: ${reasonIn(made.output)}`;
  return unlessInstalled(
    await installer.install(programIn(folder), ['--requirement', requirements]),
  );
}

function unlessInstalled({ code, output }: CommandResult): string | undefined {
  return code === 0
    ? undefined
    : `run it once where pip reaches a package index: ${reasonIn(output)}`;
}

/** The first environment, which has only what installs the others. */
async function installInstaller(
  program: string,
  folder: string,
  env: Options['env'],
): Promise<string | undefined> {
  const limits = { capture: true, limitMs: installLimitMs, env: env ?? {} };
  const made = await runCommand(program, ['-m', 'venv', folder], limits);
  if (made.code !== 0) return `install the venv and pip of ${program}: ${reasonIn(made.output)}`;
  const args = ['-m', 'pip', 'install', ...pipFlags, '--requirement', pinnedInstaller];
  return unlessInstalled(await runCommand(programIn(folder), args, limits));
}

/** One process installs and the others wait for it. The lock of an ended process is void. */
async function takeTurn(lock: string): Promise<Disposable> {
  while (!claim(lock)) await Bun.sleep(lockPollMs);
  return { [Symbol.dispose]: () => rmSync(lock, { force: true }) };
}

function claim(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (isAbandoned(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isAbandoned(lock: string): boolean {
  if (!existsSync(lock)) return false;
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return false;
  } catch {
    return true;
  }
}

function publish(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Two processes that found the same abandoned lock have both installed.
    if (!existsSync(folder)) throw error;
  }
}

function programIn(folder: string): string {
  return process.platform === 'win32'
    ? join(folder, 'Scripts', 'python.exe')
    : join(folder, 'bin', 'python');
}

const reasonLength = 160;

/** The last error line of a program. */
function reasonIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const reason = lines.findLast((line) => line.startsWith('ERROR')) ?? lines.findLast(Boolean);
  return (reason ?? 'it printed no reason').slice(0, reasonLength);
}
