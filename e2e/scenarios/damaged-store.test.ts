// A damaged store: the gateway and the commands print a readable error, and a failed backup leaves
// no file behind.
import { expect, test } from 'bun:test';
import { copyFile, open, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { maintain, runOnStore } from '../audit-store.ts';
import { emptyFolder } from '../empty-folder.ts';
import { startGatewayProcess, startRefused } from '../harness.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };

test('gateway, audit and backup print a readable error for a damaged store', async () => {
  await using folder = await emptyFolder();
  const home = folder.path;
  await using gateway = await startGatewayProcess({ data_dir: home });
  for (let searches = 0; searches < 3; searches += 1) await gateway.post('/v1/search', question);
  // A backup into a folder that cannot be written fails, and the gateway works on.
  await writeFile(join(home, 'file'), '');
  const unwritable = await maintain(home, 'backup', join(home, 'file', 'below'));
  expect([unwritable.code, unwritable.output]).toEqual([
    1,
    expect.stringMatching(/^[^\n]*The backup failed[^\n]*\n?$/),
  ]);
  expect(await gateway.stop()).toBe(0);
  const store = join(gateway.store_dir, 'trivium.sqlite');
  const sound = join(home, 'sound.sqlite');
  await copyFile(store, sound);
  const backup = join(home, 'backup');
  const restore = (from: string) => maintain(join(home, 'elsewhere'), 'restore', from);
  const damages: Readonly<Record<string, () => Promise<void>>> = {
    'no database': () => writeFile(store, 'x'.repeat(10_000)),
    'a schema that cannot be read': () => overwrite(store, 100),
  };
  for (const [damage, make] of Object.entries(damages)) {
    await copyFile(sound, store);
    await make();
    const refused = await startRefused({ data_dir: home });
    const ran = [
      { code: refused.exitCode, output: refused.output },
      await runOnStore('audit', { TRIVIUM_DATA_DIR: home }),
      await maintain(home, 'backup', backup),
      await restore(gateway.store_dir),
    ];
    for (const { code, output } of ran) {
      expect([damage, code, output]).toEqual([damage, 1, expect.stringContaining('damaged')]);
      expect(output.trim().split('\n')).toHaveLength(1);
    }
    expect(await readdir(backup)).toEqual([]);
  }

  // The failed backup leaves no file, so the next backup into the same folder succeeds.
  await writeFile(join(backup, 'trivium.sqlite'), '');
  await copyFile(sound, store);
  expect(await maintain(home, 'backup', backup)).toMatchObject({ code: 0 });
  expect(await restore(backup)).toMatchObject({ code: 0 });
});

test('a running gateway ends when a report finds its store damaged', async () => {
  await using gateway = await startGatewayProcess();
  expect((await gateway.post('/v1/search', question)).status).toBe(200);
  // Copies everything from the log into the database.
  await gateway.stop();
  await gateway.restart();
  const store = join(gateway.store_dir, 'trivium.sqlite');
  const { size } = await stat(store);
  await overwrite(store, pageBytes, size - pageBytes);
  const headers = { authorization: `Bearer ${gateway.key}` };
  // A background task may find the damage first, and the gateway then no longer listens.
  const asked = fetch(`${gateway.url}/v1/usage`, { headers }).then(({ status }) => status);
  expect([503, 'closed']).toContain(await asked.catch(() => 'closed'));
  expect(await gateway.ended()).toBe(1);
  expect(gateway.output()).toContain('trivium restore');
});

const pageBytes = 4096;

/** With invalid bytes. */
async function overwrite(file: string, from: number, length = 3000): Promise<void> {
  await using handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(length, 0xff), 0, length, from);
}
