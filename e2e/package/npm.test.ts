// The npm package from its tarball: `npx` installs it in an empty folder with an empty cache.
import { expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { projectRoot } from '../../scripts/command.ts';
import { findThreads } from '../../scripts/build/threads.ts';
import { runToEnd } from '../run-to-end.ts';
import { runScript } from './built.ts';
import { emptyFolder } from '../empty-folder.ts';
import { everythingWorks, startInstalled, useEverything } from './installed-gateway.ts';
import { serveBun } from './local-registry.ts';

test('npx starts a gateway from the tarball, and it serves every tool', async () => {
  await using folder = await emptyFolder();
  const [home, cwd] = [join(folder.path, 'home'), join(folder.path, 'run')];
  await Promise.all([mkdir(home), mkdir(cwd)]);
  await using registry = await serveBun(folder.path, manifest.dependencies.bun);
  await runScript('scripts/build/npm.ts', '--only', 'trivium', '--out', folder.path);
  const tarball = join(folder.path, `trivium-${manifest.version}.tgz`);
  // Code in the working directory must not run, even if Bun would load it by default.
  writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(cwd, 'preload.ts'), "await Bun.write('./ran', '');");
  const env = {
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    npm_config_registry: registry.url,
    npm_config_cache: join(folder.path, 'cache'),
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
  };
  const npx = ['npx', '--yes', '--package', tarball, 'trivium'];
  await using gateway = await startInstalled([...npx, 'serve', '--port', '0'], { cwd, env });
  const [used, { code, out }] = await Promise.all([
    useEverything(gateway),
    runToEnd([...npx, '--version'], { cwd, env }),
    expectBuiltFilesOnly(tarball),
  ]);
  expect(used).toEqual(everythingWorks);
  expect([code, out]).toEqual([0, `${manifest.version}\n`]);
  expect(existsSync(join(cwd, 'ran'))).toBe(false);
  expect(existsSync(join(cwd, '.trivium', 'sandbox', 'trivium.sqlite'))).toBe(true);
  // npm exits with another code; the test checks that all its processes have ended.
  await gateway.stop('SIGINT');
  expect(await gateway.get('/healthz').catch(() => 'ended')).toBe('ended');
});

test('the sources are not packed by mistake', async () => {
  await using folder = await emptyFolder();
  const pack = ['npm', 'pack', '--silent', '--pack-destination', folder.path];
  const refused = ['.', 'sdk'].map(async (source) => {
    const cwd = join(projectRoot, source);
    const { code, out, err } = await runToEnd(pack, { cwd, env: process.env });
    expect([source, code]).toEqual([source, 1]);
    expect(out + err).toContain('npm run build -- npm');
  });
  await Promise.all(refused);
});

async function expectBuiltFilesOnly(tarball: string): Promise<void> {
  const { out } = await runToEnd(['tar', '-tzf', tarball], { env: process.env });
  const files = out.trim().split('\n');
  expect(files.filter((file) => /\.tsx?$|test|fixtures/.test(file))).toEqual([]);
  const threads = findThreads().entries.map((entry) => entry.replace(/^.*\/(.*)\.ts$/, '$1.js'));
  expect(threads.length).toBeGreaterThanOrEqual(3);
  for (const thread of threads) expect(files).toContain(`package/${thread}`);
}
