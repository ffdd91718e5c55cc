// A fresh store on either engine: each test of the store runs on SQLite and on a real PostgreSQL.
import { SQL } from 'bun';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { storeThread } from '../../src/app/store-thread-url.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import type { Database } from '../../src/store/database.ts';
import { makeMachineSmall } from '../small-machine.ts';

makeMachineSmall();

export interface TestStore {
  database: Database;
  /** A second, independent connection to the same data. */
  another: () => Promise<Database>;
  /** The settings by which a gateway uses the same data. */
  settings: Readonly<Record<string, string>>;
  discard: () => Promise<void>;
}

export type Schema = 'empty' | 'migrated';

export interface Engine {
  name: string;
  /** `migrated` copies the template that `npm test` makes, if there is one. */
  open: (schema?: Schema) => Promise<TestStore>;
}

export const engines: readonly Engine[] = [
  { name: 'SQLite', open: openSqliteStore },
  { name: 'PostgreSQL', open: openPostgresStore },
];

async function openSqliteStore(schema: Schema = 'empty'): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-store-'));
  const file = join(folder, 'trivium.sqlite');
  const template = process.env['TRIVIUM_TEST_FILE_TEMPLATE'];
  if (schema === 'migrated' && template) copyFileSync(template, file);
  const database = await openSqlite(file, storeThread);
  return {
    database,
    another: () => openSqlite(file, storeThread),
    settings: { TRIVIUM_DATA_DIR: folder },
    discard: async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openPostgresStore(schema: Schema = 'empty'): Promise<TestStore> {
  const server = process.env['TRIVIUM_TEST_DATABASE_URL'];
  if (!server) {
    throw new Error(
      'TRIVIUM_TEST_DATABASE_URL is not set: `npm test` starts a PostgreSQL and sets it.',
    );
  }
  const name = `store_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = new SQL(server, { max: 1 });
  const template = process.env['TRIVIUM_TEST_DATABASE_SOURCE'];
  const source = schema === 'migrated' && template ? template : '';
  await admin.unsafe(`create database ${name} ${source}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = openPostgres(url.href);
  return {
    database,
    another: () => Promise.resolve(openPostgres(url.href)),
    settings: { DATABASE_URL: url.href, TRIVIUM_SECRET: 'the secret of a gateway under test' },
    discard: async () => {
      await database.close();
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.close();
    },
  };
}
