// The engines every store test runs on: a fresh SQLite file, and a fresh database on a real PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { openPostgres, openSqlite } from '../../src/platform/database.ts';
import type { Database } from '../../src/platform/database.ts';
import { migrate } from '../../src/store/migrate.ts';

export interface Place {
  /** Opens another connection to the same data. */
  open: () => Promise<Database>;
  /** What a gateway must be told to use it. */
  settings: Record<string, string>;
  remove: () => Promise<void>;
}

export interface Engine {
  name: string;
  makePlace: () => Promise<Place>;
}

export const engines: readonly Engine[] = [
  { name: 'SQLite', makePlace: makeFile },
  { name: 'PostgreSQL', makePlace: makeDatabase },
];

export interface Migrated extends AsyncDisposable {
  database: Database;
  place: Place;
}

/** A migrated store that is removed at the end of its scope. */
export async function makeStore(engine: Engine): Promise<Migrated> {
  const place = await engine.makePlace();
  const database = await place.open();
  await migrate(database, new Date(0));
  return {
    database,
    place,
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await place.remove();
    },
  };
}

async function makeFile(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-store-'));
  return {
    open: () => openSqlite(join(folder, 'trivium.sqlite')),
    settings: { TRIVIUM_DATA_DIR: folder },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function makeDatabase(): Promise<Place> {
  const server = process.env['TRIVIUM_TEST_DATABASE_URL'];
  if (server === undefined) {
    throw new Error('Set TRIVIUM_TEST_DATABASE_URL to a PostgreSQL, or use npm test, which does.');
  }
  const name = `trivium_${Bun.randomUUIDv7().replaceAll('-', '')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    open: async () => openPostgres(url.href),
    settings: { DATABASE_URL: url.href, TRIVIUM_SECRET: 'a secret of the tests, long enough' },
    remove: () => onServer(server, `drop database ${name} with (force)`),
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const sql = new SQL({ url, max: 1 });
  await sql.unsafe(statement);
  await sql.close();
}
