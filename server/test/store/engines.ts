// Both engines, fresh for each suite: what is proven of the store is proven on SQLite and on a real
// PostgreSQL.
import { SQL } from 'bun';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../../src/platform/database.ts';
import { openSqlite } from '../../src/platform/sqlite.ts';
import type { Database } from '../../src/platform/database.ts';

export interface Bench {
  database: Database;
  /** A second, independent connection to the same data. */
  another: () => Promise<Database>;
  /** What a gateway must be told to use the same data. */
  settings: Readonly<Record<string, string>>;
  discard: () => Promise<void>;
}

export interface Engine {
  name: string;
  open: () => Promise<Bench>;
}

export const engines: readonly Engine[] = [
  { name: 'SQLite', open: openSqliteBench },
  { name: 'PostgreSQL', open: openPostgresBench },
];

async function openSqliteBench(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-store-'));
  const file = join(folder, 'trivium.sqlite');
  const database = await openSqlite(file);
  return {
    database,
    another: () => openSqlite(file),
    settings: { TRIVIUM_DATA_DIR: folder },
    discard: async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openPostgresBench(): Promise<Bench> {
  const server = process.env['TRIVIUM_TEST_DATABASE_URL'];
  if (!server) {
    throw new Error(
      'TRIVIUM_TEST_DATABASE_URL is not set: `npm test` starts a PostgreSQL and sets it.',
    );
  }
  const name = `store_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = new SQL(server);
  await admin.unsafe(`create database ${name}`);
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
