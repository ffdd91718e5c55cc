// A fresh store on either engine: each test of the store runs on SQLite and on a real PostgreSQL.
import { SQL } from 'bun';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { storeThread } from '../../src/app/store-thread-url.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import { makeStorePool, type TestStore } from './store-pool.ts';
import { makeMachineSmall } from '../small-machine.ts';

makeMachineSmall();

type Schema = 'empty' | 'migrated';

export interface Engine {
  name: string;
  /** `migrated` is a store of the pool. */
  open: (schema?: Schema) => Promise<TestStore>;
}

export const sqliteEngine: Engine = { name: 'SQLite', open: openWith(openSqliteStore) };
export const postgresEngine: Engine = { name: 'PostgreSQL', open: openWith(openPostgresStore) };
export const engines: readonly Engine[] = [sqliteEngine, postgresEngine];

function openWith(make: (schema: Schema) => Promise<TestStore>): Engine['open'] {
  const take = makeStorePool(() => make('migrated'));
  return (schema = 'empty') => (schema === 'migrated' ? take() : make(schema));
}

async function openSqliteStore(schema: Schema): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-store-'));
  const file = join(folder, 'trivium.sqlite');
  const template = process.env['TRIVIUM_TEST_FILE_TEMPLATE'];
  if (schema === 'migrated' && template) copyFileSync(template, file);
  const database = await openSqlite(file, storeThread);
  if (schema === 'migrated' && template) await database.resume?.();
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

async function openPostgresStore(schema: Schema): Promise<TestStore> {
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
