// A store that is older than what the gateway last saw is detected at the next start.
import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '../../src/platform/log.ts';
import { watchStoreAge } from '../../src/store/store-age.ts';
import { postgresEngine, sqliteEngine } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const log = makeLog('silent');

test('on PostgreSQL, a store that lost commits is reported once', async () => {
  await using store = await makeStore(postgresEngine);
  const dataDir = mkdtempSync(join(tmpdir(), 'trivium-age-'));
  const start = async (name = 'PostgreSQL at one/db') => {
    const { warning, stop } = await watchStoreAge({ ...store, name }, dataDir, log);
    stop();
    return warning;
  };
  try {
    expect(await start()).toBeUndefined();
    expect(await start()).toBeUndefined();
    await store.database.run("update store_facts set value = '0' where name = 'age'");
    expect(await start()).toContain('is older than what a gateway here last saw');
    expect(await start()).toBeUndefined();
    // A new database at the same address has no counter at all.
    await store.database.run("delete from store_facts where name = 'age'");
    expect(await start()).toContain('is older');
    expect(await start('PostgreSQL at two/db')).toBeUndefined();
    const [file = ''] = readdirSync(dataDir);
    for (const text of ['', 'abc', '-1', '1e400', '9'.repeat(100_000)]) {
      writeFileSync(join(dataDir, file), text);
      expect(await start()).toBeUndefined();
    }
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

test('a data directory that cannot be written does not keep a gateway from starting', async () => {
  await using store = await makeStore(postgresEngine);
  const named = { ...store, name: 'PostgreSQL at one/db' };
  const { warning, stop } = await watchStoreAge(named, '/dev/null/nowhere', log);
  stop();
  expect(warning).toBeUndefined();
});

test('on SQLite, a store that lost commits is refused until the operator decides', async () => {
  await using store = await makeStore(sqliteEngine);
  const dataDir = mkdtempSync(join(tmpdir(), 'trivium-age-'));
  const start = async () => {
    const named = { ...store, name: 'SQLite in one' };
    (await watchStoreAge(named, dataDir, log)).stop();
  };
  try {
    await start();
    await start();
    await store.database.run("update store_facts set value = '0' where name = 'age'");
    // However often a service manager restarts the gateway.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const refusal = await start().catch((error: unknown) => error);
      expect(String(refusal)).toContain('is older than what a gateway here last saw');
    }
    const [file = ''] = readdirSync(dataDir);
    rmSync(join(dataDir, file));
    await start();
    await start();
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
