// The SQLite thread: placeholders, order, errors with their codes, and closing.
import { Database as Sqlite } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeThread } from '../../app/store-thread-url.ts';
import { startSqlite, type SqliteClient } from './sqlite-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'trivium-thread-'));
const file = join(folder, 'store.sqlite');
let client: SqliteClient;

beforeAll(async () => {
  client = await startSqlite(file, false, storeThread);
  await client.run('create table marks (name text primary key, amount bigint)', []);
});
afterAll(() => rmSync(folder, { recursive: true }));

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test('placeholders take the value of their number, in any order', async () => {
  const rows = await client.run('select $2 as second, $1 as first, $2 as again', ['a', 'b']);
  expect(rows).toEqual([{ first: 'a', second: 'b', again: 'b' }]);
});

test('statements sent together run in order', async () => {
  await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      client.run('insert into marks values ($1, $2)', [`m${at}`, at]),
    ),
  );
  const rows = await client.run('select amount from marks order by rowid', []);
  expect(rows).toEqual(Array.from({ length: 50 }, (_, amount) => ({ amount })));
});

test('an error is returned with its code, and the next statement works', async () => {
  const repeated = await failure(client.run("insert into marks values ('m0', 0)", []));
  expect(repeated).toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  const wrong = await failure(client.run('select nothing from nowhere', []));
  expect(wrong).toMatchObject({ code: 'SQLITE_ERROR' });
  expect(await client.run('select 1 as one', [])).toEqual([{ one: 1 }]);
});

test('a read-only client sees what is committed and cannot write', async () => {
  const reader = await startSqlite(file, true, storeThread);
  expect(await reader.run('select count(*) as marks from marks', [])).toEqual([{ marks: 50 }]);
  expect(await failure(reader.run('delete from marks', []))).toMatchObject({
    code: 'SQLITE_READONLY',
  });
  await reader.close();
});

test('a file that cannot be opened is an error', async () => {
  const refused = await failure(
    startSqlite(join(folder, 'no', 'such', 'folder.sqlite'), false, storeThread),
  );
  expect(refused).toMatchObject({ code: 'SQLITE_CANTOPEN' });
});

test('a commit that could not begin leaves the next one synced to the disk', async () => {
  const full = [{ synchronous: 2 }];
  const other = new Sqlite(file);
  // Without this each statement waits for the lock first.
  await client.run('pragma busy_timeout = 0', []);
  const unsynced = () => failure(client.perform('post', { batch: [], context: {} }, false));
  other.run('begin immediate');
  expect(await unsynced()).toMatchObject({ code: 'SQLITE_BUSY' });
  expect(await client.run('pragma synchronous', [])).toEqual(full);
  other.run('rollback');
  other.close();
  // This one begins and then fails, because the ledger's tables are missing.
  expect(await unsynced()).toMatchObject({ code: 'SQLITE_ERROR' });
  expect(await client.run('pragma synchronous', [])).toEqual(full);
});

test('a program that does not close the client still gets its results and exits', async () => {
  const clientPath = join(import.meta.dir, 'sqlite-client.ts');
  const program = `
    const { startSqlite } = await import(${JSON.stringify(clientPath)});
    const client = await startSqlite(${JSON.stringify(join(folder, 'forgotten.sqlite'))}, false,
      new URL(${JSON.stringify(storeThread.href)}));
    await client.run('create table marks (name text)', []);
    process.stdout.write(JSON.stringify(await client.run('select 7 as seven', [])));`;
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' });
  expect(await new Response(child.stdout).text()).toBe('[{"seven":7}]');
  expect(await child.exited).toBe(0);
});

test('after close every statement is rejected', async () => {
  await client.close();
  expect(await failure(client.run('select 1', []))).toMatchObject({ code: 'SQLITE_GONE' });
});
