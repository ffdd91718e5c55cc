// The data directory of the embedded store. It is locked against a second process, and contains the
// secret.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { machine } from '../../platform/machine.ts';
import { keepPrivate, keepStorePrivate, privateMode } from '../../platform/machine.ts';
import type { Settings } from '../../settings/index.ts';
import { StartError } from '../../platform/start-error.ts';

interface DataDir {
  path: string;
  storeFile: string;
  /** Signs callback tokens and sessions. Generated once. */
  secret: string;
  /** Throws if a store was created here earlier and is no longer there. */
  checkNotLost: () => void;
  /** Records in a file, which outlives the store, that a store was created here. */
  rememberStore: () => void;
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
  const storeFile = storeFileIn(path);
  return {
    path,
    storeFile,
    secret: readSecret(path),
    checkNotLost: () => checkNotLost(path, storeFile),
    rememberStore: () => rememberStore(path),
    release,
  };
}

export function storeFileIn(dataDir: string): string {
  return join(resolve(dataDir), 'trivium.sqlite');
}

/** Contains the age of the store that a gateway last saw; see `store/store-age.ts`. */
export function ageFileIn(dataDir: string): string {
  return join(resolve(dataDir), 'seen-store');
}

/**
 * The data directory for a command. The command's environment may lack the credentials that the
 * gateway has, so without any it uses the live store if there is one.
 */
export function findDataDir(
  settings: Pick<Settings, 'sandbox' | 'configured_dir' | 'data_dir'>,
): string {
  const { sandbox, configured_dir, data_dir } = settings;
  const isLive = sandbox === 'auto' && existsSync(storeFileIn(configured_dir));
  return isLive ? configured_dir : data_dir;
}

const markerName = 'store-created';

/** A new store would grant the opening balance again and know none of the keys. */
function checkNotLost(path: string, storeFile: string): void {
  const marker = join(path, markerName);
  const hasStore = existsSync(storeFile) && statSync(storeFile).size > 0;
  if (hasStore || !existsSync(marker)) return;
  throw new StartError(
    `The store ${storeFile} is missing or empty, although one was created here earlier. ` +
      'Restore a backup with trivium restore <folder>. To start again without it, delete ' +
      `${marker}.`,
  );
}

function rememberStore(path: string): void {
  const marker = join(path, markerName);
  if (existsSync(marker)) return;
  // The age of an earlier store says nothing about a new one.
  rmSync(ageFileIn(path), { force: true });
  const words = 'A store was created in this directory. The gateway does not replace a lost one.\n';
  writeFileSync(marker, words, { mode: privateMode });
}

/**
 * An exclusive SQLite lock, which the operating system releases when the process ends for any
 * reason.
 */
function takeLock(path: string): () => void {
  const file = join(path, 'lock.sqlite');
  keepStorePrivate(file);
  const lock = machine.openSqlite(file, { create: true });
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
    writeFileSync(file, machine.randomBytes(32).toString('base64url'), { mode: privateMode });
  }
  keepPrivate(file);
  return readFileSync(file, 'utf8').trim();
}
