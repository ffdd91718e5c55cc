// Copies of the store of SQLite: what is refused, and what a copy and a restored store contain.
import { expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database as Sqlite } from 'bun:sqlite';
import { ageFileIn } from '../../src/store/sqlite/data-dir.ts';
import { checkStoreFile, copyStore, restoreStore } from '../../src/store/opening.ts';
import { facts } from '../../src/store/facts.ts';
import { keepUnbooked } from '../../src/store/sqlite/backup-files.ts';
import { factOf } from '../../src/store/sqlite/journal-file.ts';
import { sqliteEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const unchanged = () => Promise.resolve();

test('a store is copied and restored with its secret, and nothing is overwritten', async () => {
  await using store = await makeStore(sqliteEngine);
  await store.database.run(`insert into accounts (id, name, created_at) values ('kept', 'k', 0)`);
  const from = String(store.settings['TRIVIUM_DATA_DIR']);
  const folder = mkdtempSync(join(tmpdir(), 'trivium-backup-'));
  await using _folder = { [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }) };
  const [to, back, empty] = ['to', 'back', 'empty'].map((name) => join(folder, name)) as [
    ...[string, string, string],
  ];
  writeFileSync(join(from, 'secret'), 'the secret');
  expect(() => copyStore(join(folder, 'nothing'), to)).toThrow('There is no store at');
  expect(() => checkStoreFile(to)).toThrow('There is no backup in');
  expect(copyStore(from, to)).toBe(join(to, 'trivium.sqlite'));
  expect(() => copyStore(from, to)).toThrow('There is already a backup in');
  expect(checkStoreFile(to)).toBe(join(to, 'trivium.sqlite'));
  expect(readFileSync(join(to, 'secret'), 'utf8')).toBe('the secret');
  copyStore(from, back);
  for (const name of ['trivium.sqlite', 'secret']) rmSync(join(back, name));
  const left = ['-wal', '.journal'].map((ending) => join(back, `trivium.sqlite${ending}`));
  for (const file of left) writeFileSync(file, 'of the lost store');
  writeFileSync(ageFileIn(back), '7');
  await restoreStore(to, back, unchanged);
  expect(existsSync(ageFileIn(back))).toBe(false);
  for (const file of left) expect(readFileSync(`${file}.old`, 'utf8')).toBe('of the lost store');
  using sqlite = new Sqlite(join(back, 'trivium.sqlite'), { readonly: true });
  expect(sqlite.query('select id from accounts').all()).toEqual([{ id: 'kept' }]);
  expect(await restoreStore(to, back, unchanged).catch(String)).toContain('is already a store at');

  // The page of the schema is whole, and a later one is not.
  const file = join(to, 'trivium.sqlite');
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(7, 8 * 4096, 16 * 4096));
  expect(() => checkStoreFile(to)).toThrow('is damaged, so nothing was restored');
  expect(() => copyStore(to, empty)).toThrow('damaged');
  expect(() => copyStore(from, join(file, 'below'))).toThrow('The backup failed');
  expect(existsSync(join(empty, 'trivium.sqlite'))).toBe(false);
});

test.each([
  ['not booked in the copy', { salt: 7, seq: 4, at: 0 }, 1],
  ['booked in the copy', { salt: 7, seq: 5, at: 0 }, 0],
  ['booked by a gateway that started meanwhile', { salt: 8, seq: 0, at: 0 }, 0],
  ['booked by a gateway that stopped meanwhile', undefined, 0],
])('a record that is %s is added to it accordingly', async (_, booked, count) => {
  await using store = await makeStore(sqliteEngine);
  const file = join(String(store.settings['TRIVIUM_DATA_DIR']), 'trivium.sqlite');
  await store.database.run("delete from store_facts where name = 'journal'");
  if (booked) await facts.put(store.database, 'journal', factOf(booked));
  const position = { salt: 7, seq: 5, at: 0 };
  keepUnbooked(file, [{ task: 'post', input: '{}', position }]);
  expect(await store.database.run('select task from deferred')).toHaveLength(count);
  await store.database.run('delete from deferred');
});
