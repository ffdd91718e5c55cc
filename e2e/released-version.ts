// The gateway of a released version, from the history of the repository: its sources with
// the packages of today, to run it beside the present version.
import { $ } from 'bun';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The commits of releases, oldest first. Tests upgrade a store of each of them. */
export const releases = {
  '0.1.0': 'af6145dc67dfec8bd74c0b0f365cd8de5d2cee80',
  '0.2.0': 'c194cdbdb737540c528a919c9884a6aea562ca1e',
};

/** The last release, which gateways of this version run beside during an upgrade. */
export const releasedCommit = releases['0.2.0'];

export type ReleasedVersion = AsyncDisposable & {
  /** Give it to a gateway as its `program`. */
  program: string;
};

const root = join(import.meta.dir, '..');
const workspaces = ['contract', 'server', 'sandbox', 'sdk', 'dashboard'];
/** Packages that only the documentation pages of 0.1.0 need. */
const standIns = {
  marked: 'export class Marked { use() { return this; } parse() { return ""; } }',
};

/** What is missing to run it; the sources of a package or of a shallow clone have no history. */
export async function missingHistory(): Promise<string | undefined> {
  const { exitCode } = await $`git cat-file -e ${releasedCommit}`.cwd(root).nothrow().quiet();
  return exitCode === 0 ? undefined : 'clone the whole history: git fetch --unshallow';
}

export async function makeReleasedVersion(commit = releasedCommit): Promise<ReleasedVersion> {
  const home = await mkdtemp(join(tmpdir(), 'trivium-released-'));
  await $`git -C ${root} archive ${commit} package.json docs ${workspaces} | tar x -C ${home}`;
  await linkPackages(home, '');
  await linkPackages(home, 'server');
  await mkdir(join(home, 'node_modules/@trivium'));
  for (const name of workspaces) {
    await symlink(join(home, name), join(home, 'node_modules/@trivium', name));
  }
  for (const [name, text] of Object.entries(standIns)) {
    const folder = join(home, 'node_modules', name);
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), '{"type":"module","main":"index.js"}');
    await writeFile(join(folder, 'index.js'), text);
  }
  return {
    program: join(home, 'server/src/main.ts'),
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

/** All but the workspaces, which are its own. */
async function linkPackages(home: string, workspace: string): Promise<void> {
  const [from, to] = [join(root, workspace, 'node_modules'), join(home, workspace, 'node_modules')];
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from).catch(() => [])) {
    const isOther = name !== '@trivium' && !(name in standIns);
    if (isOther) await symlink(join(from, name), join(to, name));
  }
}
