// The executable that the tests of this folder start. It is built once for each state of the
// sources and kept in node_modules/.cache.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Glob } from 'bun';
import { projectRoot } from '../../scripts/command.ts';
import { runToEnd } from '../run-to-end.ts';

const cache = join(projectRoot, 'node_modules', '.cache', 'trivium-build');
const workspaces = ['contract', 'server', 'sandbox', 'sdk', 'dashboard'];
/** Every file that a build reads. */
const sources = [
  ...workspaces.flatMap((name) => [`${name}/src/**/*`, `${name}/package.json`]),
  'docs/**/*',
  'scripts/**/*',
  'package.json',
  'package-lock.json',
];

/** Two test files may build at the same time: the one that ends first is kept. */
export async function builtExecutable(): Promise<string> {
  const folder = join(cache, await digestOfSources());
  const executable = join(folder, 'trivium');
  if (existsSync(executable)) return executable;
  await mkdir(cache, { recursive: true });
  const half = await mkdtemp(join(cache, 'half-'));
  await runScript('scripts/build/main.ts', '--out', half);
  await rename(half, folder).catch(() => rm(half, { recursive: true, force: true }));
  await removeOlder(folder);
  return executable;
}

/** Runs a build script of the project and resolves to what it printed. */
export async function runScript(entry: string, ...args: string[]): Promise<string> {
  const command = [process.execPath, '--no-env-file', join(projectRoot, entry), ...args];
  const { code, out, err } = await runToEnd(command, { cwd: projectRoot, env: process.env });
  if (code !== 0) throw new Error(`${entry} ended with ${code}:\n${out}${err}`);
  return out;
}

/** An empty folder that is removed at the end of its scope. */
export async function emptyFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'trivium-package-'));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

async function digestOfSources(): Promise<string> {
  const hash = createHash('sha256');
  const paths = sources.flatMap((pattern) => {
    const found = [...new Glob(pattern).scanSync({ cwd: projectRoot })];
    if (found.length === 0) throw new Error(`No file is at ${pattern}.`);
    return found;
  });
  for (const path of paths.toSorted()) {
    hash.update(`${path}\0`).update(await readFile(join(projectRoot, path)));
  }
  return hash.digest('hex').slice(0, 32);
}

/** An executable has a hundred megabytes, and only the newest one is of use. */
async function removeOlder(newest: string): Promise<void> {
  for (const name of await readdir(dirname(newest))) {
    if (name.startsWith('half-') || join(cache, name) === newest) continue;
    await rm(join(cache, name), { recursive: true, force: true });
  }
}
