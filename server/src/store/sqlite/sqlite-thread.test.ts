// The write-ahead log of the embedded store: damage stops every later statement, and a long log is
// copied into the database.
import { expect, test } from 'bun:test';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSqliteServer } from './sqlite-thread.ts';

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-log-'));
  const file = join(folder, 'store.sqlite');
  const answers: unknown[] = [];
  const answer = makeSqliteServer([], (message) => answers.push(message));
  const ask = async (request: object) => {
    await answer(JSON.stringify({ id: 1, ...request }));
    return JSON.parse(String(answers.at(-1))) as unknown;
  };
  return {
    file,
    run: (text: string) => ask({ text, values: [] }),
    start: () => ask({ open: file, readonly: false }),
    [Symbol.asyncDispose]: async () => {
      await ask({ close: true });
      rmSync(folder, { recursive: true });
    },
  };
}

const frameBytes = 24 + 4096;

test.each([
  ['the salt of the last frame', -frameBytes + 8],
  ['the first checksum of the last frame', -frameBytes + 16],
  ['the second checksum of the last frame', -frameBytes + 20],
  ['the salt of the log', 16],
])('after a change of %s nothing is acknowledged', async (_what, from) => {
  await using store = open();
  await store.start();
  expect(await store.run('create table marks (name text)')).toMatchObject({ result: [] });
  const log = `${store.file}-wal`;
  const file = openSync(log, 'r+');
  writeSync(file, Buffer.alloc(4, 7), 0, 4, from < 0 ? statSync(log).size + from : from);
  closeSync(file);
  for (let count = 0; count < 2; count += 1) {
    const inserted = await store.run("insert into marks values ('one')");
    expect(inserted).toMatchObject({ error: { code: 'SQLITE_CORRUPT' } });
  }
});

test('a long log is copied into the database, but not during a transaction', async () => {
  await using store = open();
  await store.start();
  const bytes = 4100 * 4096;
  await store.run('create table marks (name blob)');
  await store.run('begin');
  await store.run(`insert into marks values (zeroblob(${bytes}))`);
  expect(statSync(store.file).size).toBeLessThan(bytes);
  await store.run('commit');
  expect(statSync(store.file).size).toBeGreaterThan(bytes);
});
