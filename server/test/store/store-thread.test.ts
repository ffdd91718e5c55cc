// The thread of the embedded store: if it ends by itself, the gateway gets the reason.
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSqlite } from '../../src/store/sqlite/sqlite-client.ts';

test('a thread that dies gives its reason, and every statement fails at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-thread-'));
  try {
    const program = new URL('./dying-thread.ts', import.meta.url);
    const sqlite = await startSqlite(join(folder, 'store'), false, program);
    expect(await sqlite.run('select 1 as one', [])).toEqual([{ one: 1 }]);
    expect(await sqlite.died).toContain('out of memory');
    const error = await sqlite.run('select 1 as one', []).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: 'SQLITE_GONE' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
