// Keeps node_modules in line with package-lock.json, so that a fresh clone starts with one command.
// Several commands may run in one clone: one installs at a time, and what a running gateway uses
// stays.
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runChild } from './child.mjs';

/**
 * Installs what is missing, and returns the version of Bun that the lock file pins.
 * `development` says whether the packages that only checks and tests use are needed.
 */
export async function ensureInstalled(root, { development }) {
  const lock = readJson(join(root, 'package-lock.json'));
  if (lock === undefined) throw new Error(`${join(root, 'package-lock.json')} cannot be read.`);
  const isStale = existsSync(installLockIn(root)) || whyStale(root, lock, development);
  if (isStale) await install(root, lock, development);
  return { bunVersion: lock.packages['node_modules/bun'].version };
}

/** Why node_modules does not match the lock file; undefined if it does. */
export function whyStale(root, lock, development) {
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return 'no packages are installed yet';
  for (const [path, wanted] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules/')) continue;
    if (wanted.optional || (wanted.dev && !development)) continue;
    const reason = wanted.link
      ? whyUnlinked(root, path, wanted)
      : whyDifferent(root, path, wanted, installed.packages?.[path]);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function whyUnlinked(root, path, wanted) {
  const same = realPath(join(root, path)) === realPath(join(root, wanted.resolved));
  return same ? undefined : `${path} is not linked to ${wanted.resolved}`;
}

function whyDifferent(root, path, wanted, found) {
  if (found === undefined || !existsSync(join(root, path))) return `${path} is missing`;
  if (found.version === wanted.version) return undefined;
  return `${path} is ${found.version}, not ${wanted.version}`;
}

async function install(root, lock, development) {
  const { wasInterrupted, release } = await takeInstallLock(installLockIn(root));
  const reason = wasInterrupted
    ? 'an installation was interrupted'
    : whyStale(root, lock, development);
  // Another command has installed everything in the meantime.
  if (reason === undefined) return release();
  const args = installArguments({
    development,
    hasPackages: existsSync(join(root, 'node_modules')),
    isWhole: existsSync(join(root, 'node_modules', '.package-lock.json')) && !wasInterrupted,
  });
  // Standard output may be a document, such as that of `npm run release -- sbom`.
  process.stderr.write(`Installing packages with npm ${args[0]} (${reason}) ...\n`);
  const code = await runNpm(root, args);
  // The lock of a failed installation stays, so that the next command repairs it.
  if (code !== 0) {
    throw new Error(
      `npm ${args[0]} failed with exit code ${code}: see its message above, then try again.`,
    );
  }
  release();
  const still = whyStale(root, lock, development);
  if (still !== undefined) {
    throw new Error(`npm succeeded, but ${still}: remove node_modules and try again.`);
  }
}

/**
 * `npm ci` deletes everything first, so it is only for a clone without packages or with broken ones.
 * Elsewhere `npm install` adds what is missing, and a running gateway keeps its packages.
 */
export function installArguments({ development, hasPackages, isWhole }) {
  const common = ['--no-audit', '--no-fund', '--loglevel=error', '--include=optional'];
  if (isWhole) return ['install', '--no-save', ...common, '--include=dev'];
  // Running a clone needs a fifth of the packages that testing it needs.
  return ['ci', ...common, !hasPackages && !development ? '--omit=dev' : '--include=dev'];
}

function installLockIn(root) {
  return join(root, '.install-lock');
}

const pollMs = 100;
const maxWaitMs = 15 * 60_000;

/** Waits while another command installs. A lock whose owner has exited is left over. */
export async function takeInstallLock(path) {
  let wasInterrupted = false;
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return { wasInterrupted, release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = ownerOf(path);
    if (owner !== undefined && !isRunning(owner)) {
      wasInterrupted = true;
      rmSync(path, { force: true });
    } else if (waitedMs >= maxWaitMs) {
      throw new Error(
        `Another command (process ${owner}) is installing packages. If not: rm ${path}`,
      );
    } else {
      if (waitedMs === 0) process.stdout.write('Another command is installing packages ...\n');
      await sleep(pollMs);
    }
  }
}

/** Undefined while the owner has not written its number yet. */
function ownerOf(path) {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

// npm passes its path to scripts; other package managers set the same variable to their own.
function runNpm(root, args) {
  const npm = process.env.npm_execpath;
  if (npm !== undefined && basename(npm) === 'npm-cli.js') {
    return runChild(process.execPath, [npm, ...args], { cwd: root });
  }
  return runChild('npm', args, { cwd: root, shell: process.platform === 'win32' });
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function realPath(path) {
  return existsSync(path) ? realpathSync(path) : undefined;
}
