// Stores with the newest schema. A test that needs one copies it, which takes a tenth of the time
// of the migrations. The thread of the embedded store is compiled, because the tests start it a
// thousand times.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { migrate } from '../server/src/store/migrations/migrate.ts';
import { openPostgres } from '../server/src/store/postgres/postgres.ts';
import { storeThread } from '../server/src/app/store-thread-url.ts';
import { openSqlite } from '../server/src/store/sqlite/sqlite.ts';

/** As environment variables of the tests. */
export interface StoreTemplates {
  /** What follows the name in `create database`. */
  TRIVIUM_TEST_DATABASE_SOURCE: string;
  TRIVIUM_TEST_FILE_TEMPLATE: string;
  TRIVIUM_TEST_STORE_THREAD: string;
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
  const thread = await compileThread(folder);
  const sqlite = await openSqlite(file, pathToFileURL(thread));
  for (const database of [openPostgres(url.href), sqlite]) {
    await migrate(database, new Date(0));
    await database.close();
  }
  return {
    TRIVIUM_TEST_DATABASE_SOURCE: `template ${name}${version < firstWithLog ? '' : copyFiles}`,
    TRIVIUM_TEST_FILE_TEMPLATE: file,
    TRIVIUM_TEST_STORE_THREAD: thread,
  };
}

/** With bytecode a thread starts in a third of the time that it takes from its sources. */
async function compileThread(outdir: string): Promise<string> {
  const entrypoints = [fileURLToPath(storeThread)];
  const built = await Bun.build({
    ...{ entrypoints, outdir, target: 'bun', format: 'cjs', bytecode: true },
  });
  if (!built.success) throw new Error(built.logs.map(String).join('\n'));
  return join(outdir, 'store-thread.js');
}

// Since this version a new database is written to the write-ahead log page by page, which takes six
// times the processor time of copying its files. Before it, the files were always copied.
const firstWithLog = 150_000;
const copyFiles = ' strategy file_copy';
