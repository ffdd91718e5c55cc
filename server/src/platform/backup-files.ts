// The files of a backup of the embedded store: a copy made while the gateway runs, and its secret.
import { Database as Sqlite } from 'bun:sqlite';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { storeFileIn } from './data-dir.ts';
import { keepPrivate } from './private-file.ts';
import { StartError } from './start-error.ts';

const secret_name = 'secret';

/** A consistent copy, whatever is written meanwhile; answers the copied file. */
export function copyStore(data_dir: string, to: string): string {
  const file = storeFileIn(data_dir);
  if (!existsSync(file)) {
    throw new StartError(`There is no store at ${file} yet. Check TRIVIUM_DATA_DIR.`);
  }
  const folder = resolve(to);
  const copy = storeFileIn(folder);
  if (existsSync(copy)) {
    throw new StartError(`There is a backup in ${folder} already. Name another folder.`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Into an empty file that is closed to others before there is anything in it.
  keepPrivate(copy);
  const sqlite = new Sqlite(file, { readwrite: true });
  try {
    sqlite.run('pragma busy_timeout = 5000');
    sqlite.run('vacuum into ?', [copy]);
  } finally {
    sqlite.close();
  }
  copySecret(data_dir, folder);
  return copy;
}

/** Puts a backup into an empty data directory, which the caller has locked. */
export function putBack(backup: string, data_dir: string): void {
  const target = storeFileIn(data_dir);
  if (existsSync(target)) {
    throw new StartError(
      `There is a store at ${target} already, and a restore does not overwrite one. ` +
        'Move it away, or set TRIVIUM_DATA_DIR to an empty directory.',
    );
  }
  const half = `${target}.restoring`;
  rmSync(half, { force: true });
  copyFileSync(storeFileIn(backup), half);
  keepPrivate(half);
  copySecret(backup, data_dir);
  renameSync(half, target);
}

/** Throws when the file is not a sound SQLite database. */
export function checkStoreFile(folder: string): string {
  const file = storeFileIn(folder);
  if (!existsSync(file)) throw new StartError(`There is no backup in ${resolve(folder)}.`);
  const sqlite = new Sqlite(file, { readonly: true });
  try {
    const result = sqlite.query('pragma integrity_check').get() as Record<string, unknown>;
    const [verdict] = Object.values(result);
    if (verdict === 'ok') return file;
    throw new StartError(`${file} is damaged: ${String(verdict)}.`);
  } finally {
    sqlite.close();
  }
}

function copySecret(from: string, to: string): void {
  const secret = join(resolve(from), secret_name);
  if (!existsSync(secret)) return;
  const copy = join(resolve(to), secret_name);
  copyFileSync(secret, copy);
  keepPrivate(copy);
}
