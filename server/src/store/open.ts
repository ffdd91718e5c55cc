// Opens the store that the settings name, and migrates it. SQLite belongs to one process, so its
// data directory is locked.
import { existsSync } from 'node:fs';
import { connectPostgres } from './postgres/postgres.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import type { Database } from './database.ts';
import type { FailedTask } from './deferred.ts';
import { nameOfDatabase, type Settings } from '../settings/index.ts';
import { ageFileIn, openDataDir, watchStoreFiles } from './sqlite/data-dir.ts';
import { journalFileOf, LostJournal } from './sqlite/journal-file.ts';
import { StartError, describeFailure } from '../platform/start-error.ts';
import type { Log } from '../platform/log.ts';
import { openSchema } from './migrations/migrate.ts';

interface Store {
  /** For the log, without credentials. */
  name: string;
  database: Database;
  secret: string;
  /**
   * Calls back if a file of the store is deleted, replaced or damaged, or if its thread ends.
   * SQLite only.
   */
  watch?: (onLost: (reason: string) => void) => { stop: () => void };
  close: () => Promise<void>;
}

/**
 * `storeThread` is the entry point of the embedded store's thread. `onFailed` receives deferred
 * tasks that cannot be booked, including those of an earlier process.
 */
export async function openStore(
  settings: Settings,
  storeThread: URL,
  now: Date,
  onFailed?: (failed: FailedTask) => void,
  log?: Log,
): Promise<Store> {
  const { database_url, secret } = settings;
  if (database_url !== undefined && secret !== undefined) {
    return openPostgresStore(database_url, secret, now, log);
  }
  const dir = openDataDir(settings.data_dir);
  dir.checkNotLost();
  const database = await openFile(dir, storeThread, now, onFailed, log);
  dir.rememberStore();
  return {
    name: `SQLite in ${dir.storeFile}`,
    database,
    secret: secret ?? dir.secret,
    watch: (onLost) => {
      void database.died?.then(onLost);
      return watchStoreFiles(dir.storeFile, onLost);
    },
    close: async () => {
      await database.close();
      dir.release();
    },
  };
}

async function openFile(
  { path, storeFile: file }: { path: string; storeFile: string },
  storeThread: URL,
  now: Date,
  onFailed: ((failed: FailedTask) => void) | undefined,
  log: Log | undefined,
): Promise<Database> {
  const ageFile = ageFileIn(path);
  const acceptLoss = (reason: string) =>
    log?.warn(
      { reason },
      'the loss of the journal was accepted: the latest payments may be missing',
    );
  try {
    const database = await openSqlite(file, storeThread, onFailed);
    await openSchema(database, now, `The store ${file}`);
    await database.resume?.(existsSync(ageFile) ? undefined : acceptLoss);
    return database;
  } catch (error) {
    // As for a store that is older than it was; see `store-age.ts`.
    if (error instanceof LostJournal) {
      throw new StartError(
        `The journal ${journalFileOf(file)} cannot be used, because ${error.reason}. Payments of the ` +
          'last moments before the gateway ended may be missing. Put the files of the store back, ' +
          `restore a backup with trivium restore <folder>, or delete ${ageFile} to accept the loss.`,
      );
    }
    const words = describeFailure(error, `The store ${file}`);
    throw words === undefined ? error : new StartError(words);
  }
}

async function openPostgresStore(
  url: string,
  secret: string,
  now: Date,
  log: Log | undefined,
): Promise<Store> {
  const name = nameOfDatabase(url);
  try {
    const database = await connectPostgres(url, log);
    await openSchema(database, now, name);
    return { name, database, secret, close: () => database.close() };
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const advice = /prepared statement/.test(reason)
      ? 'A connection pooler changes the connection between transactions: add ?prepare=false ' +
        'to DATABASE_URL'
      : 'Check DATABASE_URL';
    throw new StartError(`${name} cannot be used: ${reason}. ${advice}.`);
  }
}
