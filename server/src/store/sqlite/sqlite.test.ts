// Statements that wait for a transaction never become part of the next one.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeThread } from '../../app/store-thread-url.ts';
import { openSqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'trivium-sqlite-'));
const db = await openSqlite(join(folder, 'lock.sqlite'), storeThread);
await db.run('create table kept (turns integer)');
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const maxTurns = 20;

/** A transaction may begin at any turn of the event loop after the one that holds the lock. */
test('a statement keeps its effect when a transaction that begins next rolls back', async () => {
  for (let turns = 0; turns < maxTurns; turns += 1) {
    const first = db.transaction(async (tx) => void (await tx.run('select 1')));
    const waiting = db.run('insert into kept (turns) values ($1)', [turns]);
    await first;
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    const next = db.transaction(async (tx) => {
      await tx.run('select 1');
      await tx.run('select 1');
      throw new Error('rolled back');
    });
    expect(await next.catch((error: Error) => error.message)).toBe('rolled back');
    await waiting;
  }
  const rows = await db.run<{ turns: number }>('select turns from kept order by turns');
  expect(rows.map(({ turns }) => turns)).toEqual([...Array(maxTurns).keys()]);
});
