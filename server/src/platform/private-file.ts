// Files that only the gateway's own user can read.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

export const privateMode = 0o600;

/** Creates the file if necessary, and restricts it to its owner. */
export function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', privateMode));
  chmodSync(file, privateMode);
}

/**
 * SQLite creates its companion files with the mode of the database. The modes of existing files are
 * fixed.
 */
export function keepStorePrivate(file: string): void {
  keepPrivate(file);
  for (const companion of ['-wal', '-shm', '-journal']) {
    if (existsSync(file + companion)) chmodSync(file + companion, privateMode);
  }
}
