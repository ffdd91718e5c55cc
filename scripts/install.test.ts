// A stale node_modules is detected, and one command installs at a time; uses temporary projects.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Package {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
  resolved?: string;
}
type Packages = Record<string, Package>;
interface InstallLock {
  wasInterrupted: boolean;
  release: () => void;
}
interface InstallModule {
  takeInstallLock(path: string): Promise<InstallLock>;
  installArguments(state: Record<'development' | 'hasPackages' | 'isWhole', boolean>): string[];
  whyStale(root: string, lock: { packages: Packages }, development: boolean): string | undefined;
}

// The module is JavaScript, because it runs before TypeScript tools are installed.
const { whyStale, takeInstallLock, installArguments }: InstallModule = await import(
  join(import.meta.dir, 'install.mjs')
);

const lock: Packages = {
  '': { version: '0.1.0' },
  contract: { version: '0.1.0' },
  'node_modules/@trivium/contract': { link: true, resolved: 'contract' },
  'node_modules/zod': { version: '4.0.0' },
  'node_modules/zod/node_modules/inner': { version: '1.0.0' },
  'node_modules/prettier': { version: '3.0.0', dev: true },
  'node_modules/@oven/bun-other-machine': { version: '1.4.4', optional: true },
};

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** Creates a project with these packages installed, each with its folder. */
function makeProject(
  installed: Packages | undefined,
  { linked = true, without = '' } = {},
): string {
  const root = mkdtempSync(join(tmpdir(), 'trivium install '));
  folders.push(root);
  mkdirSync(join(root, 'contract'));
  mkdirSync(join(root, 'node_modules', '@trivium'), { recursive: true });
  for (const path of Object.keys(installed ?? {})) {
    if (path !== without) mkdirSync(join(root, path), { recursive: true });
  }
  if (linked) symlinkSync('../../contract', join(root, 'node_modules', '@trivium', 'contract'));
  const list = JSON.stringify({ packages: installed });
  if (installed) writeFileSync(join(root, 'node_modules', '.package-lock.json'), list);
  return root;
}

function installed(changes: Packages = {}): Packages {
  return {
    'node_modules/zod': { version: '4.0.0' },
    'node_modules/zod/node_modules/inner': { version: '1.0.0' },
    'node_modules/prettier': { version: '3.0.0', dev: true },
    ...changes,
  };
}

describe('node_modules', () => {
  test('is fresh when every package has the version of the lock file', () => {
    expect(whyStale(makeProject(installed()), { packages: lock }, true)).toBeUndefined();
  });

  test('is stale when nothing was ever installed', () => {
    const reason = whyStale(makeProject(undefined), { packages: lock }, true);
    expect(reason).toBe('no packages are installed yet');
  });

  test('is stale when a package is another version', () => {
    const root = makeProject(installed({ 'node_modules/zod': { version: '3.9.9' } }));
    const reason = whyStale(root, { packages: lock }, true);
    expect(reason).toBe('node_modules/zod is 3.9.9, not 4.0.0');
  });

  test('is stale when a package is not recorded', () => {
    const { 'node_modules/zod': _, ...rest } = installed();
    const reason = whyStale(makeProject(rest), { packages: lock }, true);
    expect(reason).toBe('node_modules/zod is missing');
  });

  test('is stale when a package is recorded and its folder is gone', () => {
    const path = 'node_modules/zod/node_modules/inner';
    const root = makeProject(installed(), { without: path });
    expect(whyStale(root, { packages: lock }, true)).toBe(`${path} is missing`);
  });

  test('is stale when a workspace is not linked', () => {
    const reason = whyStale(makeProject(installed(), { linked: false }), { packages: lock }, true);
    expect(reason).toBe('node_modules/@trivium/contract is not linked to contract');
  });

  test('needs packages for development only when asked', () => {
    const { 'node_modules/prettier': _, ...rest } = installed();
    const root = makeProject(rest);
    expect(whyStale(root, { packages: lock }, false)).toBeUndefined();
    expect(whyStale(root, { packages: lock }, true)).toBe('node_modules/prettier is missing');
  });
});

describe('an installation', () => {
  const lockPath = () => join(makeProject(undefined), '.install-lock');

  test('waits for the one that runs', async () => {
    const path = lockPath();
    const first = await takeInstallLock(path);
    const order: string[] = [];
    const second = takeInstallLock(path).then((lock) => {
      order.push('second');
      return lock;
    });
    await Promise.resolve();
    order.push('first ends');
    first.release();
    const { wasInterrupted, release } = await second;
    expect([order, wasInterrupted]).toEqual([['first ends', 'second'], false]);
    release();
  });

  test('repairs one whose process has ended', async () => {
    const path = lockPath();
    const ended = Bun.spawn(['true']);
    await ended.exited;
    writeFileSync(path, String(ended.pid));
    const { wasInterrupted, release } = await takeInstallLock(path);
    expect(wasInterrupted).toBe(true);
    release();
    expect((await takeInstallLock(path)).wasInterrupted).toBe(false);
  });

  test('deletes nothing where packages are whole', () => {
    const whole = { hasPackages: true, isWhole: true };
    for (const development of [true, false]) {
      expect(installArguments({ ...whole, development }).slice(0, 2)).toEqual([
        'install',
        '--no-save',
      ]);
    }
    const broken = { development: false, hasPackages: true, isWhole: false };
    expect(installArguments(broken)[0]).toBe('ci');
  });
});
