// Backup, restore, and migration from the embedded store to PostgreSQL.
import { expect, test } from 'bun:test';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AuditList } from '@trivium/contract';
import { auditStore, maintain, runOnStore } from '../audit-store.ts';
import { createDatabase } from '../database.ts';
import { emptyFolder } from '../empty-folder.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { readJob, runJob } from '../jobs.ts';

const operatorToken = 'operator-token-of-the-tests-0123456789';
const question = { query: 'solar energy storage', provider: 'engine_a' };
const once = { 'idempotency-key': 'bought-before-the-move' };

test('a backup made under load is consistent, restores into an empty folder, overwrites nothing', async () => {
  await using folder = await emptyFolder();
  await using gateway = await startGateway();
  const before = await gateway.post('/v1/search', question, once);
  const load = Promise.all(Array.from({ length: 40 }, () => gateway.post('/v1/search', question)));
  const backup = join(folder.path, 'backup');
  expect(await maintain(gateway.data_dir, 'backup', backup)).toMatchObject({ code: 0 });
  for (const answer of await load) expect(answer.status).toBe(200);
  expect(await maintain(gateway.data_dir, 'backup', backup)).toMatchObject({ code: 1 });
  expect(await maintain(gateway.data_dir, 'restore', backup)).toMatchObject({ code: 1 });
  await gateway.stop();

  const dataDir = join(folder.path, 'restored');
  expect(await maintain(dataDir, 'restore', backup)).toMatchObject({ code: 0 });
  expect(await maintain(dataDir, 'restore', backup)).toMatchObject({
    code: 1,
    output: expect.stringContaining('does not overwrite'),
  });
  await auditStore({ TRIVIUM_DATA_DIR: dataDir });
  const files = await readdir(join(dataDir, 'sandbox'));
  expect(files.filter((name) => name.includes('restoring'))).toEqual([]);
  const env = { TRIVIUM_BOOTSTRAP_KEY: gateway.key, TRIVIUM_ADMIN_TOKEN: operatorToken };
  await using restored = await startGateway({ data_dir: dataDir, env });
  const again = await restored.post('/v1/search', question, once);
  expect(again.text).toBe(before.text);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  // The refused attempts have left no entry.
  const log = await restored.get('/admin/v1/audit?action=store.restored', {
    authorization: `Bearer ${operatorToken}`,
  });
  const { entries } = AuditList.parse(log.body);
  expect(entries).toMatchObject([
    {
      actor: { kind: 'command_line', id: null },
      account_id: null,
      target: 'store',
      before: null,
      after: { backup, backup_made_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    },
  ]);
});

test('a store moves to an empty PostgreSQL with its keys, balances, answers and jobs', async () => {
  await using database = await createDatabase('empty');
  await using gateway = await startGateway();
  const before = await gateway.post('/v1/search', question, once);
  const job = await runJob(gateway, {});
  const money = (await gateway.get('/v1/balance')).body;
  const move = () => maintain(gateway.data_dir, 'migrate', '--to', database.url);
  expect(await move()).toMatchObject({
    code: 1,
    output: expect.stringContaining('Another Trivium process'),
  });
  await gateway.stop();
  expect(await move()).toMatchObject({
    code: 0,
    output: expect.stringContaining('sums are equal'),
  });
  expect(await move()).toMatchObject({ code: 1, output: expect.stringContaining('empty') });

  const triviumSecret = (await readFile(join(gateway.store_dir, 'secret'), 'utf8')).trim();
  await auditStore({ DATABASE_URL: database.url, TRIVIUM_SECRET: triviumSecret });
  const env = { TRIVIUM_SECRET: triviumSecret, TRIVIUM_BOOTSTRAP_KEY: gateway.key };
  await using moved: Gateway = await startGateway({ database_url: database.url, env });
  expect((await moved.get('/v1/balance')).body).toEqual(money);
  expect((await moved.post('/v1/search', question, once)).text).toBe(before.text);
  expect(await readJob(moved, job.id)).toEqual(job);
});

test('a backup of the embedded store is refused when DATABASE_URL is set', async () => {
  await using folder = await emptyFolder();
  const { path } = folder;
  const url = { DATABASE_URL: 'postgres://h/one', TRIVIUM_SECRET: 'x'.repeat(32) };
  const env = { TRIVIUM_DATA_DIR: path, ...url };
  expect(await runOnStore('maintain', env, 'backup', join(path, 'copy'))).toEqual({
    code: 1,
    output: expect.stringContaining('PostgreSQL at h/one') as string,
  });
});
