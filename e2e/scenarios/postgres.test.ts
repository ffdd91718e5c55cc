// The gateway on PostgreSQL: it answers, survives a crash, and shares its keys.
import { SQL } from 'bun';
import { test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { auditStore } from '../audit-store.ts';
import { createDatabase, serverAddress } from '../database.ts';
import { startGateway, startRefused, startGatewayProcess } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };

test('with DATABASE_URL keys are kept in PostgreSQL, also through a kill -9', async () => {
  await using database = await createDatabase('empty');
  await using gateway = await startGatewayProcess({
    database_url: database.url,
    env: { TRIVIUM_BOOTSTRAP_KEY: undefined },
  });
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
  const unissued = { authorization: `Bearer sk_live_${randomBytes(32).toString('base64url')}` };
  expect((await gateway.post('/v1/search', question, unissued)).status).toBe(401);
  await proves('settings.database-url', async () =>
    expect(await Bun.file(`${gateway.store_dir}/trivium.sqlite`).exists()).toBe(false),
  );

  await gateway.kill9();
  await gateway.restart();
  expect(gateway.output()).not.toMatch(/sk_(?:live|test)_[\w-]{43}/);
  await proves('settings.database-url', async () =>
    expect((await gateway.post('/v1/search', question)).status).toBe(200),
  );
  expect(await gateway.stop()).toBe(0);
});

test('PostgreSQL without a secret is reported as an error in the settings', async () => {
  const { exitCode, output } = await startRefused({
    database_url: serverAddress(),
    env: { TRIVIUM_SECRET: undefined },
  });
  proves('settings.database-url.needs-secret', () => {
    expect(exitCode).toBe(1);
    expect(output).toContain('TRIVIUM_SECRET');
  });
});

test('DATABASE_URL takes precedence over the variables of other PostgreSQL clients', async () => {
  await using database = await createDatabase('empty');
  await using other = await createDatabase('empty');
  const misleading = {
    PGDATABASE: new URL(other.url).pathname.slice(1),
    PGHOST: '127.0.0.9',
    PGPORT: '1',
    PGUSER: 'eve',
    PGPASSWORD: 'wrong',
    PG_URL: 'postgres://nowhere.invalid/x',
    POSTGRES_URL: 'postgres://nowhere.invalid/x',
  };
  await using gateway = await startGateway({ database_url: database.url, env: misleading });
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
  expect(await tableCount(other.url)).toBe(0);
  expect(await tableCount(database.url)).toBeGreaterThan(0);
  // The other database has no tables, so an audit of it would fail.
  await auditStore({
    ...misleading,
    DATABASE_URL: database.url,
    TRIVIUM_SECRET: 'the secret of a gateway under test',
  });
});

async function tableCount(url: string): Promise<number> {
  await using sql = new SQL(url, { max: 1 });
  const [row] = (await sql`
    select count(*) as count from information_schema.tables where table_schema = 'public'
  `) as { count: unknown }[];
  return Number(row?.count);
}
