// Files that only the gateway's own user may read, also in a folder that others may look into.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

export const privateMode = 0o600;

/** Made when it is not there, and closed to others when it is. */
export function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', privateMode));
  chmodSync(file, privateMode);
}

/** SQLite gives its log and its index the mode of the file they belong to, when it makes them. */
export function keepStorePrivate(file: string): void {
  keepPrivate(file);
  for (const companion of ['-wal', '-shm', '-journal']) {
    if (existsSync(file + companion)) chmodSync(file + companion, privateMode);
  }
}
