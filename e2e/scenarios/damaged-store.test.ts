// A damaged store: the gateway and the commands print a readable error, and a failed backup leaves
// no file behind.
import { expect, test } from 'bun:test';
import { copyFile, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from '../child-process.ts';
import { startGatewayProcess, startRefused } from '../harness.ts';

const commands = 'server/src/app/commands';
const question = { query: 'solar energy storage', provider: 'engine_a' };

test('gateway, audit and backup print a readable error for a damaged store', async () => {
  const home = await mkdtemp(join(tmpdir(), 'trivium-damaged-'));
  try {
    await using gateway = await startGatewayProcess({ data_dir: home });
    for (let searches = 0; searches < 3; searches += 1) await gateway.post('/v1/search', question);
    expect(await gateway.stop()).toBe(0);
    const store = join(gateway.store_dir, 'trivium.sqlite');
    const sound = join(home, 'sound.sqlite');
    await copyFile(store, sound);
    const backup = join(home, 'backup');
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
        await run('audit', home),
        await run('maintain', home, 'backup', backup),
        await run('maintain', join(home, 'elsewhere'), 'restore', gateway.store_dir),
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
    expect(await run('maintain', home, 'backup', backup)).toMatchObject({ code: 0 });
    expect(await run('maintain', join(home, 'elsewhere'), 'restore', backup)).toMatchObject({
      code: 0,
    });
  } finally {
    await rm(home, { recursive: true });
  }
});

test('a running gateway ends when a report finds its store damaged', async () => {
  const home = await mkdtemp(join(tmpdir(), 'trivium-damaged-'));
  try {
    await using gateway = await startGatewayProcess({ data_dir: home });
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
  } finally {
    await rm(home, { recursive: true });
  }
});

test('a backup into an unwritable folder fails with a readable error', async () => {
  const home = await mkdtemp(join(tmpdir(), 'trivium-damaged-'));
  try {
    await using gateway = await startGatewayProcess({ data_dir: home });
    const file = join(home, 'file');
    await writeFile(file, '');
    const { code, output } = await run('maintain', home, 'backup', join(file, 'below'));
    expect([code, output]).toEqual([1, expect.stringContaining('The backup failed')]);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect((await gateway.post('/v1/search', question)).status).toBe(200);
  } finally {
    await rm(home, { recursive: true });
  }
});

const pageBytes = 4096;

/** With invalid bytes. */
async function overwrite(file: string, from: number, length = 3000): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(length, 0xff), 0, length, from);
  await handle.close();
}

async function run(
  command: string,
  dataDir: string,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const env = { TRIVIUM_DATA_DIR: dataDir };
  const child = runChild(`${commands}/${command}.ts`, env, tmpdir(), args);
  return { code: await child.ended(), output: child.output() };
}
