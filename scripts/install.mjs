// Keeps node_modules in line with package-lock.json, so that a fresh clone starts with one command.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runChild } from './child.mjs';

/**
 * Installs what is missing, and returns the version of Bun that the lock file pins.
 * `development` says whether the packages that only checks and tests use are needed.
 */
export async function ensureInstalled(root, { development }) {
  const lock = readJson(join(root, 'package-lock.json'));
  if (lock === undefined) throw new Error(`${join(root, 'package-lock.json')} cannot be read.`);
  const reason = whyStale(root, lock, development);
  if (reason !== undefined) await install(root, lock, development, reason);
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

async function install(root, lock, development, reason) {
  process.stdout.write(`Installing packages with npm ci (${reason}) ...\n`);
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=optional'];
  // Running a clone needs a fifth of the packages that testing it needs.
  const fresh = !existsSync(join(root, 'node_modules'));
  args.push(fresh && !development ? '--omit=dev' : '--include=dev');
  const code = await runNpm(root, args);
  if (code !== 0) {
    throw new Error(`npm ci failed with exit code ${code}: see its message above, then try again.`);
  }
  const still = whyStale(root, lock, development);
  if (still !== undefined) {
    throw new Error(`npm ci succeeded, but ${still}: remove node_modules and try again.`);
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
