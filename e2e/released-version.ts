// The gateway of a released version, from the history of the repository: its sources with
// the packages of today, to run it beside the present version.
import { $ } from 'bun';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The last release, which gateways of this version run beside during an upgrade. */
export const lastRelease = '0.2.0';
export const releasedCommit = 'c194cdbdb737540c528a919c9884a6aea562ca1e';

export type ReleasedVersion = AsyncDisposable & {
  /** Give it to a gateway as its `program`. */
  program: string;
};

const root = join(import.meta.dir, '..');
/** What is missing to run it; the sources of a package or of a shallow clone have no history. */
export async function missingHistory(): Promise<string | undefined> {
  const { exitCode } = await $`git cat-file -e ${releasedCommit}`.cwd(root).nothrow().quiet();
  return exitCode === 0 ? undefined : 'clone the whole history: git fetch --unshallow';
}

export async function makeReleasedVersion(commit = releasedCommit): Promise<ReleasedVersion> {
  const home = await mkdtemp(join(tmpdir(), 'trivium-released-'));
  const { workspaces } = (await $`git -C ${root} show ${commit}:package.json`.json()) as {
    workspaces: string[];
  };
  await $`git -C ${root} archive ${commit} package.json docs ${workspaces} | tar x -C ${home}`;
  await linkPackages(home, '');
  await linkPackages(home, 'server');
  await mkdir(join(home, 'node_modules/@trivium'));
  for (const name of workspaces) {
    await symlink(join(home, name), join(home, 'node_modules/@trivium', name));
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
    if (name !== '@trivium') await symlink(join(from, name), join(to, name));
  }
}
