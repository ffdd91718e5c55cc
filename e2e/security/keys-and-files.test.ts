// Files on disk are readable only by the gateway's user, and replaced keys and links stop working.
import { expect, test } from 'bun:test';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PeopleList } from '@trivium/contract';
import { runChild } from '../child-process.ts';
import { startGateway } from '../harness.ts';
import { createDatabase } from '../database.ts';
import { operator, setUpToken, visitor } from './visitor.ts';

const token = 'operator-token-of-the-tests-0123456789';
const keyOf = (letter: string) => `sk_live_${letter.repeat(43)}`;

test('store, log, lock, secret and backups are closed to other users, also in an open folder', async () => {
  const home = await mkdtemp(join(tmpdir(), 'trivium-files-'));
  const [dataDir, backup, restored] = ['data', 'backup', 'restored'].map((name) =>
    join(home, name),
  ) as [string, string, string];
  const storeIn = (dir: string) => join(dir, 'sandbox');
  try {
    for (const folder of [storeIn(dataDir), backup, storeIn(restored)]) {
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o777);
    }
    // As an older version created them.
    for (const name of ['trivium.sqlite', 'lock.sqlite']) {
      await writeFile(join(storeIn(dataDir), name), '', { mode: 0o644 });
    }
    const secret = join(storeIn(dataDir), 'secret');
    await writeFile(secret, 'the secret of a gateway under test', { mode: 0o644 });
    await using gateway = await startGateway({ data_dir: dataDir });
    expect((await gateway.post('/v1/search', { query: 'solar' })).status).toBe(200);
    expect(await openIn(storeIn(dataDir))).toEqual([]);
    expect(await readdir(storeIn(dataDir))).toContain('trivium.sqlite-wal');
    const maintain = (dir: string, ...args: string[]) =>
      runChild(
        'server/src/app/commands/maintain.ts',
        { TRIVIUM_DATA_DIR: dir },
        home,
        args,
      ).ended();
    expect(await maintain(dataDir, 'backup', backup)).toBe(0);
    expect(await openIn(backup)).toEqual([]);
    // The restore also closes the files of a copied backup.
    for (const name of await readdir(backup)) await chmod(join(backup, name), 0o644);
    expect(await maintain(restored, 'restore', backup)).toBe(0);
    expect(await openIn(storeIn(restored))).toEqual([]);
  } finally {
    await rm(home, { recursive: true });
  }
});

test.each(['SQLite', 'PostgreSQL'])(
  'on %s a replaced bootstrap key stops working, and works once it is set again',
  async (engine) => {
    await using database = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    const home = await mkdtemp(join(tmpdir(), 'trivium-keys-'));
    const start = (key: string | undefined) =>
      startGateway({
        data_dir: join(home, 'data'),
        env: {
          TRIVIUM_BOOTSTRAP_KEY: key,
          ...(database ? { TRIVIUM_SECRET: 'the secret of a gateway under test' } : {}),
        },
        ...(database ? { database_url: database.url } : {}),
      });
    const open = async (withKey: string) => {
      await using gateway = await start(withKey);
      const opens: string[] = [];
      for (const letter of ['a', 'b']) {
        const authorization = `Bearer ${keyOf(letter)}`;
        const { status } = await gateway.get('/v1/balance', { authorization });
        if (status === 200) opens.push(letter);
      }
      await gateway.stop();
      return opens;
    };
    try {
      expect(await open(keyOf('a'))).toEqual(['a']);
      expect(await open(keyOf('b'))).toEqual(['b']);
      expect(await open(keyOf('b'))).toEqual(['b']);
      expect(await open(keyOf('a'))).toEqual(['a']);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
);

test('after the last person is removed, a start prints a new set-up link and the old one fails', async () => {
  await using gateway = await startGateway({ env: { TRIVIUM_ADMIN_TOKEN: token } });
  const first = setUpToken(gateway);
  const ada = await operator(gateway);
  const people = PeopleList.parse(await (await ada.ask('GET', '/admin/v1/people')).json()).people;
  for (const { id } of people) {
    const authorization = `Bearer ${token}`;
    const removed = await gateway.ask('DELETE', `/admin/v1/people/${id}`, undefined, {
      authorization,
    });
    expect(removed.status).toBe(200);
  }
  await gateway.restart();
  const second = setUpToken(gateway);
  const bob = visitor(() => gateway.url);
  expect(await bob.join(first, 'bob@example.org')).toBe(404);
  expect(await bob.join(second, 'bob@example.org')).toBe(201);
  expect(await bob.signIn('bob@example.org')).toBe(200);
  expect((await bob.session()).person?.role).toBe('operator');
  expect(await bob.join(second, 'eve@example.org')).toBe(404);
});

/** Files with any permission for users other than the owner. */
async function openIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder)) {
    const { mode } = await stat(join(folder, name));
    if ((mode & 0o777) !== 0o600) found.push(`${name} ${(mode & 0o777).toString(8)}`);
  }
  return found;
}
