// The single executable in an empty home and an empty folder: the gateway and its commands.
import { beforeAll, expect, test } from 'bun:test';
import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { projectRoot } from '../../scripts/command.ts';
import { createDatabase } from '../database.ts';
import { readGauge } from '../gauges.ts';
import { runToEnd } from '../run-to-end.ts';
import { builtExecutable, runScript } from './built.ts';
import { emptyFolder } from '../empty-folder.ts';
import { everythingWorks, startInstalled, useEverything } from './installed-gateway.ts';
import { waitFor } from '../wait-for.ts';

let executable = '';
beforeAll(async () => {
  executable = await builtExecutable();
});

/** An empty home, a working directory, and an empty PATH. */
async function emptyPlace() {
  const folder = await emptyFolder();
  const [home, cwd] = [join(folder.path, 'home'), join(folder.path, 'run')];
  await Promise.all([mkdir(home), mkdir(cwd)]);
  const trivium = join(folder.path, 'trivium');
  copyFileSync(executable, trivium);
  const env = { HOME: home, PATH: '/nowhere', PORT: '0' };
  return { ...folder, home, cwd, trivium, env };
}

test('it serves every tool from several processes of itself, and a signal stops all', async () => {
  await using database = await createDatabase('empty');
  await using place = await emptyPlace();
  const env = {
    ...place.env,
    DATABASE_URL: database.url,
    TRIVIUM_SANDBOX: 'on',
    TRIVIUM_SECRET: 'the secret of a gateway under test',
    TRIVIUM_PROCESSES: '2',
  };
  const command = [place.trivium, 'serve', '--port', '0'];
  await using gateway = await startInstalled(command, { cwd: place.cwd, env });
  await waitFor(() => readGauge(gateway, 'trivium_processes'), {
    what: 'two processes run',
    until: (count) => count === 2,
  });
  expect(await useEverything(gateway)).toEqual(everythingWorks);
  const pages = readdirSync(join(projectRoot, 'docs')).filter((name) => name.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(10);
  for (const page of pages) {
    const address = page === 'index.md' ? '/docs' : `/docs/${page.slice(0, -'.md'.length)}`;
    expect([address, (await gateway.get(address)).status]).toEqual([address, 200]);
  }
  const { body } = await gateway.get('/healthz');
  expect(body).toEqual({ status: 'ok', version: manifest.version, mode: 'sandbox' });
  expect(await gateway.stop()).toBe(0);
});

test('its commands work next to a running gateway', async () => {
  await using place = await emptyPlace();
  await using gateway = await startInstalled([place.trivium, 'serve'], place);
  const env = { ...place.env, TRIVIUM_URL: gateway.url, TRIVIUM_API_KEY: gateway.key };
  expect([readdirSync(place.home), readdirSync(place.cwd)]).toEqual([[], ['.trivium']]);
  const run = (...args: string[]) => runToEnd([place.trivium, ...args], { cwd: place.cwd, env });
  const succeeds = async (args: string[], printed: string) => {
    const { code, out, err } = await run(...args);
    expect({ args, code, out, err }).toMatchObject({
      code: 0,
      out: expect.stringContaining(printed),
    });
  };
  await succeeds(['--version'], manifest.version);
  await succeeds(['health'], 'ready');
  await succeeds(['search', 'solar'], '"provider": "engine_a"');
  await succeeds(['audit'], 'SQLite in');
  await succeeds(['doctor', '--no-calls'], 'the settings of this shell are valid');
  await succeeds(['backup', './backup'], 'into ./backup');
  expect(existsSync(join(place.cwd, 'backup', 'trivium.sqlite'))).toBe(true);
  const elsewhere = { ...env, TRIVIUM_DATA_DIR: './restored' };
  const restored = await runToEnd([place.trivium, 'restore', './backup'], {
    cwd: place.cwd,
    env: elsewhere,
  });
  expect([restored.code, restored.out]).toEqual([0, expect.stringContaining('Restored into')]);
  const refused = await run('migrate', '--to', 'mysql://x');
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('postgres://')]);
});

test('it reads settings from .env, and refuses wrong ones', async () => {
  await using place = await emptyPlace();
  writeFileSync(join(place.cwd, '.env'), 'TRIVIUM_AUTO_SEARCH=engine_z\n');
  const { code, err } = await runToEnd([place.trivium, 'serve'], place);
  expect([code, err]).toEqual([1, expect.stringContaining('TRIVIUM_AUTO_SEARCH')]);
});

test('it runs no code from its working directory', async () => {
  await using place = await emptyPlace();
  writeFileSync(join(place.cwd, 'bunfig.toml'), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(place.cwd, 'preload.ts'), "await Bun.write('./ran', '');");
  expect((await runToEnd([place.trivium, '--version'], place)).code).toBe(0);
  expect(existsSync(join(place.cwd, 'ran'))).toBe(false);
});

test('a target that does not exist is refused by name', async () => {
  const refused = await runScript('scripts/build/main.ts', '--target', 'constructor').catch(String);
  expect(refused).toContain('There is no target constructor.');
});
