// Stores with the newest schema. A test that needs one copies it, which takes a tenth of the time
// of the migrations.
import { join } from 'node:path';
import { migrate } from '../server/src/store/migrate.ts';
import { openPostgres } from '../server/src/store/postgres.ts';
import { storeThread } from '../server/src/app/store-thread-url.ts';
import { openSqlite } from '../server/src/store/sqlite.ts';

/** As environment variables of the tests. */
export interface StoreTemplates {
  TRIVIUM_TEST_DATABASE_TEMPLATE: string;
  TRIVIUM_TEST_FILE_TEMPLATE: string;
}

export async function makeStoreTemplates(server: string, folder: string): Promise<StoreTemplates> {
  const name = 'trivium_template';
  const admin = new Bun.SQL(server, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  const file = join(folder, 'template.sqlite');
  for (const database of [openPostgres(url.href), await openSqlite(file, storeThread)]) {
    await migrate(database, new Date(0));
    await database.close();
  }
  return { TRIVIUM_TEST_DATABASE_TEMPLATE: name, TRIVIUM_TEST_FILE_TEMPLATE: file };
}
