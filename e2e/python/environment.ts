// Where pinned Python packages live: a virtual environment outside the tracked files, made the
// first time and used offline from then on. Where it cannot be made, it says what is missing.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runCommand } from '../../scripts/command.ts';

export type Python = { program: string } | { missing: string };

const defaultMinorVersion = 11;
const askLimitMs = 60_000;
const installLimitMs = 10 * 60_000;
const keyLength = 16;
const versionQuestion = 'import sys, platform; print(*sys.version_info[:2], platform.platform())';
const pinnedRequirements = join(import.meta.dir, 'requirements.txt');

type Options = {
  cache?: string;
  requirements?: string;
  /** The oldest Python 3 that will do. */
  minorVersion?: number;
  env?: Record<string, string | undefined>;
};

/** Finds or makes the environment; two runs at the same time end with the same one. */
export async function preparePython(options: Options = {}): Promise<Python> {
  const { cache = join(projectRoot, 'node_modules', '.cache'), env = process.env } = options;
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
  if (existsSync(folder)) return ready;
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(cache, { recursive: true });
    const trouble = await install(base.program, draft, requirements, env);
    if (trouble !== undefined) return { missing: trouble };
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

/** Answers what to do where it fails. */
async function install(
  program: string,
  folder: string,
  requirements: string,
  env: Options['env'],
): Promise<string | undefined> {
  const limits = { capture: true, limitMs: installLimitMs, env: env ?? {} };
  const made = await runCommand(program, ['-m', 'venv', folder], limits);
  if (made.code !== 0) return `install the venv and pip of ${program}: ${reasonIn(made.output)}`;
  // Only what is ready to run: nothing is compiled, and no code of a package runs to install it.
  const flags = ['--quiet', '--disable-pip-version-check', '--no-input', '--only-binary=:all:'];
  const args = ['-m', 'pip', 'install', ...flags, '--requirement', requirements];
  const installed = await runCommand(programIn(folder), args, limits);
  if (installed.code === 0) return undefined;
  return `run it once where pip reaches a package index: ${reasonIn(installed.output)}`;
}

function publish(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another run was faster, and made the same.
    if (!existsSync(folder)) throw error;
  }
}

function programIn(folder: string): string {
  return process.platform === 'win32'
    ? join(folder, 'Scripts', 'python.exe')
    : join(folder, 'bin', 'python');
}

const reasonLength = 160;

/** The last thing a program complained of, on one line. */
function reasonIn(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const told = lines.findLast((line) => line.startsWith('ERROR')) ?? lines.findLast(Boolean);
  return (told ?? 'it ended without a word').slice(0, reasonLength);
}
