// Opens the store the settings name, brings its schema up to date, and keeps it for one process
// where it must.
import { openPostgres } from '../platform/database.ts';
import { openSqlite } from '../platform/sqlite.ts';
import type { Database } from '../platform/database.ts';
import type { FailedPiece } from '../platform/deferred.ts';
import { openDataDir } from '../platform/data-dir.ts';
import type { Settings } from '../platform/settings.ts';
import { StartError } from '../platform/start-error.ts';
import { migrate } from './migrate.ts';

export interface Store {
  /** For people, without credentials. */
  name: string;
  database: Database;
  secret: string;
  close: () => Promise<void>;
}

/** `onFailed` is told of deferred work that cannot be booked, that of an earlier process too. */
export async function openStore(
  settings: Settings,
  now: Date,
  onFailed?: (failed: FailedPiece) => void,
): Promise<Store> {
  const { database_url, secret } = settings;
  if (database_url !== undefined && secret !== undefined) {
    return openShared(database_url, secret, now);
  }
  const dir = openDataDir(settings.data_dir);
  const database = await openSqlite(dir.store_file, onFailed);
  await migrate(database, now);
  await database.resume?.();
  return {
    name: `SQLite in ${dir.store_file}`,
    database,
    secret: secret ?? dir.secret,
    close: async () => {
      await database.close();
      dir.release();
    },
  };
}

async function openShared(url: string, secret: string, now: Date): Promise<Store> {
  const database = openPostgres(url);
  const { host, pathname } = new URL(url);
  const name = `PostgreSQL at ${host}${pathname}`;
  try {
    await migrate(database, now);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${name} cannot be used: ${reason}. Check DATABASE_URL.`);
  }
  return { name, database, secret, close: () => database.close() };
}
