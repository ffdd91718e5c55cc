// The systemd unit: systemd accepts it, and its command starts the executable.
import { expect } from 'bun:test';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../scripts/command.ts';
import { emptyFolder } from '../empty-folder.ts';
import { builtExecutable } from '../package/built.ts';
import { missingProgram, testWhere } from '../leave-out.ts';
import { startInstalled } from '../package/installed-gateway.ts';

const unit = readFileSync(join(projectRoot, 'deploy', 'trivium.service'), 'utf8');
const installed = '/usr/local/bin/trivium';
const state = '/var/lib/trivium';
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

const python = missingProgram('python3', 'install Python');
const systemd = missingProgram('systemd-analyze', 'install systemd');

testWhere(systemd)('systemd accepts the unit', async () => {
  await using folder = await emptyFolder();
  const copy = join(folder.path, 'trivium.service');
  // The program must exist, and on this machine it is not installed.
  writeFileSync(copy, unit.replaceAll(installed, await linkExecutable(folder.path)));
  const verified = Bun.spawnSync(['systemd-analyze', 'verify', copy]);
  expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, '']);
});

testWhere(python)(
  'its command starts a gateway, which notifies systemd and stops within its limit',
  async () => {
    await using folder = await emptyFolder();
    await using programs = await emptyFolder();
    const [command = ''] = valuesOf('ExecStart');
    expect(command.split(' ')[0]).toBe(installed);
    expect(valuesOf('WorkingDirectory')).toEqual([state]);
    const settings = valuesOf('Environment').map((setting) => setting.replace(state, folder.path));
    const env = { ...Object.fromEntries(settings.map((one) => one.split('='))), PORT: '0' };
    expect(env).toMatchObject({ TRIVIUM_DATA_DIR: folder.path });
    const words = command.replace(installed, await linkExecutable(programs.path)).split(' ');
    await using manager = await listenAsManager(folder.path);
    await using gateway = await startInstalled(words, {
      cwd: folder.path,
      env: { ...env, ...manager.env },
    });
    expect((await gateway.get('/readyz')).status).toBe(200);
    await manager.heard(['READY=1', 'WATCHDOG=1', 'WATCHDOG=1']);
    expect(gateway.output()).toContain(`SQLite in ${folder.path}/`);
    // systemd stops a service with this signal, and kills it after the time limit of the unit.
    expect(await gateway.stop('SIGTERM')).toBe(0);
    await manager.heard(['STOPPING=1']);
    expect(valuesOf('Type')).toEqual(['notify']);
    expect(valuesOf('WatchdogSec')).toEqual(['10']);
    expect(valuesOf('TimeoutStopSec')).toEqual(['60']);
    expect(valuesOf('DynamicUser')).toEqual(['yes']);
  },
);

const receiver = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('listening', flush=True)
while True: print(s.recv(4096).decode(), flush=True)`;

/** Receives the notifications of the gateway to systemd. */
async function listenAsManager(folder: string) {
  const path = join(folder, 'notify');
  const child = Bun.spawn(['python3', '-c', receiver, path], { stdout: 'pipe' });
  const lines = readLines(child.stdout);
  const heard = async (expected: readonly string[]) => {
    for (const message of expected) {
      while ((await lines.next()).value !== message);
    }
  };
  await heard(['listening']);
  return {
    env: { NOTIFY_SOCKET: path, WATCHDOG_USEC: '200000' },
    heard,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
    },
  };
}

async function* readLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let text = '';
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
  throw new Error('the receiver ended');
}

/** The clone may be in a folder whose name contains a space, so the unit gets a link. */
async function linkExecutable(folder: string): Promise<string> {
  const path = join(folder, 'trivium');
  symlinkSync(await builtExecutable(), path);
  return path;
}
