// Stores with the newest schema. A test that needs one copies it, which takes a tenth of the time
// of the migrations.
import { join } from 'node:path';
import { migrate } from '../server/src/store/migrate.ts';
import { openPostgres } from '../server/src/store/postgres.ts';
import { storeThread } from '../server/src/app/store-thread-url.ts';
import { openSqlite } from '../server/src/store/sqlite.ts';

/** As environment variables of the tests. */
export interface StoreTemplates {
  /** What follows the name in `create database`. */
  TRIVIUM_TEST_DATABASE_SOURCE: string;
  TRIVIUM_TEST_FILE_TEMPLATE: string;
}

export async function makeStoreTemplates(server: string, folder: string): Promise<StoreTemplates> {
  const name = 'trivium_template';
  const admin = new Bun.SQL(server, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const [{ version }] = (await admin.unsafe(
    "select current_setting('server_version_num')::int as version",
  )) as [{ version: number }];
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  const file = join(folder, 'template.sqlite');
  for (const database of [openPostgres(url.href), await openSqlite(file, storeThread)]) {
    await migrate(database, new Date(0));
    await database.close();
  }
  return {
    TRIVIUM_TEST_DATABASE_SOURCE: `template ${name}${version < firstWithLog ? '' : copyFiles}`,
    TRIVIUM_TEST_FILE_TEMPLATE: file,
  };
}

// Since this version a new database is written to the write-ahead log page by page, which takes six
// times the processor time of copying its files. Before it, the files were always copied.
const firstWithLog = 150_000;
const copyFiles = ' strategy file_copy';
