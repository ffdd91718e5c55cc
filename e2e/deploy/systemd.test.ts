// The systemd unit: systemd accepts it, and its command starts the executable.
import { expect, test } from 'bun:test';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/command.ts';
import { builtExecutable, emptyFolder } from '../package/built.ts';
import { missingProgram, testWhere } from '../leave-out.ts';
import { startInstalled } from '../package/installed-gateway.ts';

const unit = readFileSync(join(projectRoot, 'deploy', 'trivium.service'), 'utf8');
const installed = '/usr/local/bin/trivium';
const state = '/var/lib/trivium';
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

const systemd = missingProgram('systemd-analyze', 'install systemd');

testWhere(systemd)('systemd accepts the unit', async () => {
  await using folder = await emptyFolder();
  const copy = join(folder.path, 'trivium.service');
  // The program must exist, and on this machine it is not installed.
  writeFileSync(copy, unit.replaceAll(installed, await linkExecutable(folder.path)));
  const verified = Bun.spawnSync(['systemd-analyze', 'verify', copy]);
  expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, '']);
});

test('its command starts a gateway, which stops within the time limit of the unit', async () => {
  await using folder = await emptyFolder();
  await using programs = await emptyFolder();
  const [command = ''] = valuesOf('ExecStart');
  expect(command.split(' ')[0]).toBe(installed);
  expect(valuesOf('WorkingDirectory')).toEqual([state]);
  const settings = valuesOf('Environment').map((setting) => setting.replace(state, folder.path));
  const env = { ...Object.fromEntries(settings.map((one) => one.split('='))), PORT: '0' };
  expect(env).toMatchObject({ TRIVIUM_DATA_DIR: folder.path });
  const words = command.replace(installed, await linkExecutable(programs.path)).split(' ');
  await using gateway = await startInstalled(words, { cwd: folder.path, env });
  expect((await gateway.get('/readyz')).status).toBe(200);
  expect(gateway.output()).toContain(`SQLite in ${folder.path}/`);
  // systemd stops a service with this signal, and kills it after the time limit of the unit.
  expect(await gateway.stop('SIGTERM')).toBe(0);
  expect(valuesOf('TimeoutStopSec')).toEqual(['60']);
  expect(valuesOf('DynamicUser')).toEqual(['yes']);
});

/** The clone may be in a folder whose name contains a space, where no one installs a program. */
async function linkExecutable(folder: string): Promise<string> {
  const path = join(folder, 'trivium');
  symlinkSync(await builtExecutable(), path);
  return path;
}
