// A store whose file is deleted or replaced under a running gateway: the gateway exits, and the
// next start does not grant the opening balance again.
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { open, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { maintain } from '../audit-store.ts';
import { emptyFolder } from '../empty-folder.ts';
import { startGateway, startRefused, startGatewayProcess } from '../harness.ts';
import { openStore } from '../store-file.ts';
import { waitFor } from '../wait-for.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };

test('exits when its store is deleted, and the next start asks for a decision', async () => {
  await using folder = await emptyFolder();
  const options = { data_dir: folder.path };
  await using gateway = await startGatewayProcess(options);
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
  const backup = join(folder.path, 'backup');
  expect((await maintain(folder.path, 'backup', backup)).code).toBe(0);
  const store = join(gateway.store_dir, 'trivium.sqlite');
  await rm(store);
  expect(await gateway.ended()).toBe(1);
  expect(gateway.output()).toContain(`The store ${store} was deleted`);

  const refused = await startRefused(options);
  expect([refused.exitCode, refused.output]).toEqual([
    1,
    expect.stringContaining('trivium restore'),
  ]);
  expect(existsSync(store)).toBe(false);
  // An empty file is not a store.
  await writeFile(store, '');
  expect((await startRefused(options)).exitCode).toBe(1);

  expect((await maintain(folder.path, 'restore', backup)).code).toBe(0);
  await using restored = await startGateway({
    ...options,
    env: { TRIVIUM_BOOTSTRAP_KEY: gateway.key },
  });
  expect((await restored.get('/v1/balance')).body).toMatchObject({ balance_usd: 9.993 });
});

test('a store whose journal is gone after a kill is refused until the operator decides', async () => {
  await using folder = await emptyFolder();
  const options = { data_dir: folder.path };
  await using gateway = await startGatewayProcess(options);
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
  await gateway.kill9();
  await rm(join(gateway.store_dir, names.journal));
  const { exitCode, output } = await startRefused(options);
  expect([exitCode, output]).toEqual([1, expect.stringContaining('because it is missing')]);
  const [, decision = ''] = /delete (\S+) to accept the loss/.exec(output) ?? [];
  await rm(decision);
  await using again = await startGatewayProcess(options);
  expect(again.output()).toMatch(/it is missing.*the loss of the journal was accepted/);
});

test('exits when its store is replaced, and the operator can start anew', async () => {
  await using folder = await emptyFolder();
  const options = { data_dir: folder.path };
  await using gateway = await startGatewayProcess(options);
  const store = join(gateway.store_dir, 'trivium.sqlite');
  const other = join(folder.path, 'other');
  await writeFile(other, '');
  await rename(other, store);
  expect(await gateway.ended()).toBe(1);
  expect(gateway.output()).toContain('was replaced by another file');

  const { output } = await startRefused(options);
  const [, marker = ''] = /delete (\S+store-created)\./.exec(output) ?? [];
  await rm(marker);
  await using again = await startGateway(options);
  expect((await again.get('/v1/balance')).body).toMatchObject({ balance_usd: 10 });
});

const attacks: Readonly<Record<string, (log: string) => Promise<void>>> = {
  'truncated to nothing': (log) => truncate(log, 0),
  'truncated to half': async (log) => truncate(log, Math.floor((await stat(log)).size / 2)),
  'overwritten at its head': async (log) => {
    await using file = await open(log, 'r+');
    await file.write(Buffer.alloc(32, 0x5a), 0, 32, 0);
  },
  deleted: (log) => rm(log),
};

const names = { log: 'trivium.sqlite-wal', journal: 'trivium.sqlite.journal' };

test.each([
  ['log', 'truncated to half'],
  ['log', 'overwritten at its head'],
  ['log', 'deleted'],
  ['journal', 'truncated to nothing'],
  ['journal', 'deleted'],
] as const)(
  'while callers pay, a %s that is %s ends the gateway, and nothing more is paid',
  async (name, attack) => {
    // Its schema is in the database file, and not in the log.
    await using gateway = await startGatewayProcess();
    const log = join(gateway.store_dir, names[name]);
    let isAttacked = false;
    const acknowledged: string[] = [];
    const statuses = new Set<number>();
    const pay = async () => {
      for (;;) {
        const wasAttacked = isAttacked;
        const { status, headers } = await gateway.post('/v1/search', question).catch(() => ({
          status: 0,
          headers: new Headers(),
        }));
        if (status === 0) return;
        statuses.add(status);
        if (wasAttacked && status === 200) acknowledged.push(headers.get('x-request-id') ?? '');
      }
    };
    const paying = [pay(), pay(), pay(), pay()];
    await waitFor(async () => (await stat(join(gateway.store_dir, names.log))).size, {
      what: 'the log has several commits',
      until: (size) => size > 200_000,
    });
    await attacks[attack]?.(log);
    isAttacked = true;
    expect(await gateway.ended()).toBe(1);
    await Promise.all(paying);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const output = gateway.output();
    expect(output).toContain(attack === 'deleted' ? `${log} was` : 'trivium restore');
    const stored = await readStored(gateway.store_dir);
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  },
);

/** The requests in a store that opens from what is on the disk, and in its journal. */
async function readStored(folder: string): Promise<Set<string>> {
  const store = openStore(folder);
  try {
    expect(store.query('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const rows = store
      .query(`select id from transfers union all select input from deferred`)
      .values()
      .map(([text]) => String(text));
    const journal = await readFile(join(folder, names.journal), 'latin1').catch(() => '');
    return new Set([...rows, journal].flatMap((text) => text.match(/req_[0-9a-z-]+/g) ?? []));
  } finally {
    store.close();
  }
}
