// Where the Python clients cannot be installed, one line names what is missing and no files remain.
import { afterAll, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { preparePython } from './environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'trivium-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const requirements = join(folder, 'requirements.txt');
writeFileSync(requirements, 'exa-py==2.26.0\n');

// A fake Python: prints its version, and creates an environment with a pip and a uv.
function machineWith(
  name: string,
  { version = '3 12 Linux', venv = 'exit 0', uv = 'exit 0', pip = 'exit 0' },
) {
  const bin = join(folder, name, 'bin');
  const cache = join(folder, name, 'cache');
  const log = `${cache}.log`;
  mkdirSync(bin, { recursive: true });
  const program = (path: string, ...lines: string[]) => {
    writeFileSync(path, `#!/bin/sh\n${lines.join('\n')}\n`);
    chmodSync(path, 0o755);
  };
  const inner = { python: join(folder, name, 'python'), uv: join(folder, name, 'uv') };
  program(
    inner.python,
    `if [ "$3" = install ]; then echo "pip installs uv" >> "${log}"; exit 0; fi`,
    `echo "pip installs" >> "${log}"`,
    pip,
  );
  program(
    inner.uv,
    'if [ "$1" = venv ]; then',
    `  /bin/mkdir -p "$5/bin"; /bin/cp ${inner.python} "$5/bin/python"; exit 0`,
    'fi',
    `echo "uv installs" >> "${log}"`,
    uv,
  );
  program(
    join(bin, 'python3'),
    `if [ "$1" = -c ]; then echo "${version}"; exit 0; fi`,
    `/bin/mkdir -p "$3/bin"; /bin/cp ${inner.python} ${inner.uv} "$3/bin"`,
    venv,
  );
  return { cache, requirements, env: { PATH: bin } };
}

test('without Python, or with an old one, the reason is to install it', async () => {
  const missing = 'install Python 3.11 or newer, with venv and pip';
  const empty = { cache: join(folder, 'none'), requirements, env: { PATH: folder } };
  expect(await preparePython(empty)).toEqual({ missing });
  expect(await preparePython(machineWith('old', { version: '3 10 Linux' }))).toEqual({ missing });
  expect(await preparePython(machineWith('two', { version: '2 17 Linux' }))).toEqual({ missing });
  const older = { ...machineWith('older', { version: '3 9 Linux' }), minorVersion: 10 };
  expect(await preparePython(older)).toEqual({ missing: missing.replace('3.11', '3.10') });
  const enough = { ...machineWith('enough', { version: '3 10 Linux' }), minorVersion: 10 };
  expect(await preparePython(enough)).toHaveProperty('program');
});

test('without venv, the reason is the error of Python', async () => {
  const machine = machineWith('bare', { venv: 'echo "ensurepip is not available"; exit 1' });
  expect(await preparePython(machine)).toEqual({
    missing: 'install the venv and pip of python3: ensurepip is not available',
  });
  expect(readdirSync(machine.cache)).toEqual([]);
});

test('an unreachable index is reported in one line and leaves no partial environment', async () => {
  const pip = 'echo "WARNING: Retrying"; echo "ERROR: No matching distribution"; exit 1';
  const machine = machineWith('offline', { uv: 'exit 2', pip });
  expect(await preparePython(machine)).toEqual({
    missing: 'run it once where pip reaches a package index: ERROR: No matching distribution',
  });
  expect(readdirSync(machine.cache)).toEqual([expect.stringMatching(/^python-\w{16}$/)]);
});

test('pip installs what uv cannot', async () => {
  const machine = machineWith('mirror', { uv: 'exit 2' });
  expect(await preparePython(machine)).toHaveProperty('program');
  expect(await logOf(machine)).toEqual(['pip installs uv', 'uv installs', 'pip installs']);
});

test('concurrent and later runs share one installation until a pin changes', async () => {
  const machine = machineWith('online', {});
  const [first, second] = await Promise.all([preparePython(machine), preparePython(machine)]);
  expect(first).toEqual({ program: expect.stringContaining(machine.cache) });
  expect(second).toEqual(first);
  expect(await logOf(machine)).toEqual(['pip installs uv', 'uv installs']);
  const newer = join(folder, 'newer.txt');
  writeFileSync(newer, 'exa-py==2.27.0\n');
  expect(await preparePython({ ...machine, requirements: newer })).not.toEqual(first);
  expect(await logOf(machine)).toEqual(['pip installs uv', 'uv installs', 'uv installs']);
});

test('the lock of a process that has ended does not stop the installation', async () => {
  const machine = machineWith('stale', {});
  const ready = await preparePython(machine);
  if ('missing' in ready) throw new Error(ready.missing);
  const installed = dirname(dirname(ready.program));
  const there = readdirSync(machine.cache);
  rmSync(installed, { recursive: true });
  const ended = Bun.spawnSync(['true']).pid;
  writeFileSync(`${installed}.lock`, String(ended));
  expect(await preparePython(machine)).toEqual(ready);
  expect(readdirSync(machine.cache)).toEqual(there);
});

test('an environment whose interpreter is gone is made again', async () => {
  const machine = machineWith('replaced', {});
  const ready = await preparePython(machine);
  if ('missing' in ready) throw new Error(ready.missing);
  rmSync(ready.program);
  expect(await preparePython(machine)).toEqual(ready);
  expect(await Bun.file(ready.program).exists()).toBe(true);
});

async function logOf({ cache }: { cache: string }): Promise<string[]> {
  return (await Bun.file(`${cache}.log`).text()).trim().split('\n');
}
