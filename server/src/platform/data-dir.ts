// The data directory of the embedded store: created, locked against a second process, and holding
// the secret.
import { Database as Sqlite } from 'bun:sqlite';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { randomBytes } from 'node:crypto';
import { keepPrivate, keepStorePrivate, privateMode } from './private-file.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';

interface DataDir {
  path: string;
  storeFile: string;
  /** Signs callback tokens and sessions; generated once. */
  secret: string;
  release: () => void;
}

export function openDataDir(configured: string): DataDir {
  const path = resolve(configured);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `The data directory ${path} cannot be written (${(error as NodeJS.ErrnoException).code}). ` +
        'Set TRIVIUM_DATA_DIR to a directory this user may write.',
    );
  }
  const release = takeLock(path);
  return { path, storeFile: storeFileIn(path), secret: readSecret(path), release };
}

export function storeFileIn(dataDir: string): string {
  return join(resolve(dataDir), 'trivium.sqlite');
}

/**
 * The data directory for a command. Its environment may lack the credentials that the gateway has,
 * so without any it means the live store if there is one.
 */
export function findDataDir(
  settings: Pick<Settings, 'sandbox' | 'configured_dir' | 'data_dir'>,
): string {
  const { sandbox, configured_dir, data_dir } = settings;
  const isLive = sandbox === 'auto' && existsSync(storeFileIn(configured_dir));
  return isLive ? configured_dir : data_dir;
}

/** An exclusive SQLite lock, which the system releases when the process ends for any reason. */
function takeLock(path: string): () => void {
  const file = join(path, 'lock.sqlite');
  keepStorePrivate(file);
  const lock = new Sqlite(file, { create: true });
  try {
    lock.run('pragma busy_timeout = 0');
    lock.run('pragma locking_mode = exclusive');
    lock.run('begin exclusive');
  } catch {
    lock.close();
    throw new StartError(
      `Another Trivium process is using the data directory ${path}. ` +
        'Stop it, or give this one its own TRIVIUM_DATA_DIR.',
    );
  }
  return () => lock.close();
}

function readSecret(path: string): string {
  const file = join(path, 'secret');
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: privateMode });
  }
  keepPrivate(file);
  return readFileSync(file, 'utf8').trim();
}
