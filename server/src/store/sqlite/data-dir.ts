// The data directory of the embedded store. It is locked against a second process, contains the
// secret, and is watched: SQLite would not notice that a file was deleted or replaced, and what it
// writes to the files it has open is lost when the process is killed.
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
import { type Repeated, every } from '../../platform/every.ts';
import { keepPrivate, keepStorePrivate, machine, privateMode } from '../../platform/machine.ts';
import { StartError } from '../../platform/start-error.ts';
import type { Settings } from '../../settings/index.ts';

export function openDataDir(configured: string) {
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
    /** Signs callback tokens and sessions. Generated once. */
    secret: readSecret(path),
    /** Throws if a store was created here earlier and is no longer there. */
    checkNotLost: () => checkNotLost(path, storeFile),
    /** Records in a file, which outlives the store, that a store was created here. */
    rememberStore: () => rememberStore(path),
    release,
  };
}

export function storeFileIn(dataDir: string): string {
  return join(resolve(dataDir), 'trivium.sqlite');
}

export function secretFileIn(dataDir: string): string {
  return join(resolve(dataDir), 'secret');
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
  const file = secretFileIn(path);
  if (!existsSync(file)) {
    writeFileSync(file, machine.randomBytes(32).toString('base64url'), { mode: privateMode });
  }
  keepPrivate(file);
  return readFileSync(file, 'utf8').trim();
}

const everyMs = 500;
/** The database, its write-ahead log, the index of that log, and the journal. */
const endings = ['', '-wal', '-shm', '.journal'];

/** Calls `onLost` once, with the reason. */
export function watchStoreFiles(file: string, onLost: (reason: string) => void): Repeated {
  const files = endings.map((ending) => `${file}${ending}`);
  const seen = new Map<string, string>();
  const check = async () => {
    for (const path of files) {
      const before = seen.get(path);
      const found = await machine.stat(path).then(identityOf, (error: NodeJS.ErrnoException) =>
        // Other errors say nothing about the file: a network disk may be unavailable for a moment.
        error.code === 'ENOENT' ? 'deleted' : before,
      );
      if (before === undefined && found !== undefined && found !== 'deleted') seen.set(path, found);
      if (before === undefined || found === before) continue;
      watch.stop();
      const what = found === 'deleted' ? 'was deleted' : 'was replaced by another file';
      return onLost(`The store ${path} ${what} while the gateway was running.`);
    }
  };
  const watch = every(everyMs, { name: 'store_files', work: check, startsNow: true });
  return watch;
}

function identityOf({ dev, ino }: { dev: number; ino: number }): string {
  return `${dev} ${ino}`;
}
