// Files on disk are readable only by the gateway's user, and replaced keys and links stop working.
import { expect, test } from 'bun:test';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PeopleList } from '@trivium/contract';
import { maintain } from '../audit-store.ts';
import { createDatabase } from '../database.ts';
import { emptyFolder } from '../empty-folder.ts';
import { engines, startGateway } from '../harness.ts';
import { operator, setUpToken, visitor } from './visitor.ts';

const token = 'operator-token-of-the-tests-0123456789';

test('store, log, lock, secret and backups are closed to other users, also in an open folder', async () => {
  await using home = await emptyFolder();
  const [dataDir, backup, restored] = ['data', 'backup', 'restored'].map((name) =>
    join(home.path, name),
  ) as [string, string, string];
  const storeIn = (dir: string) => join(dir, 'sandbox');
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
  expect(await maintain(dataDir, 'backup', backup)).toMatchObject({ code: 0 });
  expect(await openIn(backup)).toEqual([]);
  // The restore also closes the files of a copied backup.
  for (const name of await readdir(backup)) await chmod(join(backup, name), 0o644);
  expect(await maintain(restored, 'restore', backup)).toMatchObject({ code: 0 });
  expect(await openIn(storeIn(restored))).toEqual([]);
});

test.each(engines)(
  'on %s a replaced bootstrap key stops working, and works once it is set again',
  async (engine) => {
    await using database = engine === 'PostgreSQL' ? await createDatabase() : undefined;
    await using home = await emptyFolder();
    const keyOf = (letter: string) => `sk_live_${letter.repeat(43)}`;
    const open = async (letter: string) => {
      const own = { TRIVIUM_SECRET: 'the secret of a gateway under test' };
      await using gateway = await startGateway({
        data_dir: home.path,
        env: { TRIVIUM_BOOTSTRAP_KEY: keyOf(letter), ...(database ? own : {}) },
        ...(database ? { database_url: database.url } : {}),
      });
      const ask = (one: string) =>
        gateway.get('/v1/balance', { authorization: `Bearer ${keyOf(one)}` });
      return [(await ask('a')).status, (await ask('b')).status];
    };
    expect(await open('a')).toEqual([200, 401]);
    expect(await open('b')).toEqual([401, 200]);
    expect(await open('a')).toEqual([200, 401]);
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
