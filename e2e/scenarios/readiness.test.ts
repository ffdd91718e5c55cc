// /readyz on real stores: 503 while the store is full, locked or does not respond.
import { SQL } from 'bun';
import { expect, test } from 'bun:test';
import { startPostgres } from '../../scripts/postgres.ts';
import { createDatabase } from '../database.ts';
import { startGateway, untilReadyz, startGatewayProcess } from '../harness.ts';
import { openStore } from '../store-file.ts';

test('a gateway on a locked SQLite store is not ready until the lock is gone', async () => {
  await using gateway = await startGateway();
  await untilReadyz(gateway, 200);
  using other = openStore(gateway.store_dir);
  other.run('begin immediate');
  expect(await untilReadyz(gateway, 503)).toContain('does not accept writes');
  other.run('rollback');
  await untilReadyz(gateway, 200);
});

test('a gateway whose PostgreSQL has no space for payments is not ready until it has', async () => {
  await using database = await createDatabase();
  await using gateway = await startGateway({ database_url: database.url });
  await untilReadyz(gateway, 200);
  // As on a full disk: what fits into the files as they are is written, and new rows are not.
  await using sql = new SQL(database.url, { max: 1 });
  const tables = { deferred: 'true', holds: 'true', store_facts: 'length(new.value) > 1000' };
  await sql.unsafe(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`);
  for (const [table, condition] of Object.entries(tables)) {
    await sql.unsafe(`create trigger full_disk before insert on ${table}
      for each row when (${condition}) execute function refuse()`);
  }
  await untilReadyz(gateway, 200);
  expect((await gateway.post('/v1/search', { query: 'solar' })).status).toBe(503);
  expect(await untilReadyz(gateway, 503)).toContain('does not accept writes');
  for (const table of Object.keys(tables)) await sql.unsafe(`drop trigger full_disk on ${table}`);
  await untilReadyz(gateway, 200);
  expect((await gateway.post('/v1/search', { query: 'solar' })).status).toBe(200);
});

test('a gateway is not ready while PostgreSQL hangs, and is ready again afterwards', async () => {
  const server = await startPostgres({ fsync: false });
  try {
    await using gateway = await startGatewayProcess({ database_url: server.url });
    await untilReadyz(gateway, 200);
    server.freezeServer();
    // Without a response this test fails at its time limit.
    expect(await untilReadyz(gateway, 503)).toContain('does not accept writes');
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.get('/readyz')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 503));
    server.thawServer();
    await untilReadyz(gateway, 200);
    server.freezeServer();
    expect(await gateway.stop('SIGTERM')).toBe(1);
    expect(gateway.output()).toMatch(/The store (did not answer within|cannot be used)/);
  } finally {
    await server.stop();
  }
});
