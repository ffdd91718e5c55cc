// Backup and restore of the SQLite store: a copy made while the gateway runs, with its secret.
import { Database as Sqlite } from 'bun:sqlite';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { storeFileIn } from '../platform/data-dir.ts';
import { keepPrivate } from '../platform/private-file.ts';
import { StartError } from '../platform/start-error.ts';

const secretName = 'secret';

/** Makes a consistent copy while the gateway writes, and returns the path of the copied file. */
export function copyStore(dataDir: string, to: string): string {
  const file = storeFileIn(dataDir);
  if (!existsSync(file)) {
    throw new StartError(`There is no store at ${file} yet. Check TRIVIUM_DATA_DIR.`);
  }
  const folder = resolve(to);
  const copy = storeFileIn(folder);
  if (existsSync(copy)) {
    throw new StartError(`There is already a backup in ${folder}. Name another folder.`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Created empty with mode 0600, so no other user can read the copy while it is written.
  keepPrivate(copy);
  const sqlite = new Sqlite(file, { readwrite: true });
  try {
    sqlite.run('pragma busy_timeout = 5000');
    // The copy of a store of an older version can give space back, too.
    sqlite.run('pragma auto_vacuum = incremental');
    sqlite.run('vacuum into ?', [copy]);
  } finally {
    sqlite.close();
  }
  copySecret(dataDir, folder);
  return copy;
}

/** Restores a backup into an empty data directory, which the caller has locked. */
export function restoreStore(backup: string, dataDir: string): void {
  const target = storeFileIn(dataDir);
  if (existsSync(target) && statSync(target).size > 0) {
    throw new StartError(
      `There is already a store at ${target}, and a restore does not overwrite one. ` +
        'Move it away, or set TRIVIUM_DATA_DIR to an empty directory.',
    );
  }
  const partial = `${target}.restoring`;
  rmSync(partial, { force: true });
  copyFileSync(storeFileIn(backup), partial);
  keepPrivate(partial);
  copySecret(backup, dataDir);
  // The log of a lost store would be applied to this one.
  for (const companion of ['-wal', '-shm']) rmSync(target + companion, { force: true });
  renameSync(partial, target);
}

/** Throws when SQLite's integrity check fails. */
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
  const secret = join(resolve(from), secretName);
  if (!existsSync(secret)) return;
  const copy = join(resolve(to), secretName);
  copyFileSync(secret, copy);
  keepPrivate(copy);
}
