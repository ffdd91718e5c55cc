// The pinned Bun is found in every layout that npm leaves behind; uses fake programs.
import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Machine {
  platform: string;
  arch: string;
}
interface BunBinaryModule {
  findBun(root: string, version: string, machine: Machine): string;
}

const { findBun }: BunBinaryModule = await import(join(import.meta.dir, 'bun-binary.mjs'));

const linux = { platform: 'linux', arch: 'x64' };
const patched = 'node_modules/bun/bin/bun.exe';
const platform = 'node_modules/@oven/bun-linux-x64/bin/bun';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

function makeProject(programs: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'trivium bun '));
  folders.push(root);
  for (const [path, script] of Object.entries(programs)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `#!/bin/sh\n${script}\n`);
    chmodSync(join(root, path), 0o755);
  }
  return root;
}

describe('the pinned Bun', () => {
  test('is the patched program if install scripts ran', () => {
    const root = makeProject({ [patched]: 'echo 1.4.4' });
    expect(findBun(root, '1.4.4', linux)).toBe(join(root, patched));
  });

  test('is the program of the platform package if they did not run', () => {
    const root = makeProject({ [patched]: 'exit 1', [platform]: 'echo 1.4.4' });
    expect(findBun(root, '1.4.4', linux)).toBe(join(root, platform));
  });

  test('may be built for another C library', () => {
    const musl = 'node_modules/@oven/bun-linux-x64-musl/bin/bun';
    const root = makeProject({ [platform]: 'exit 127', [musl]: 'echo 1.4.4' });
    expect(findBun(root, '1.4.4', linux)).toBe(join(root, musl));
  });

  test('is found under its names on other systems', () => {
    const apple = 'node_modules/@oven/bun-darwin-aarch64/bin/bun';
    const root = makeProject({ [apple]: 'echo 1.4.4' });
    expect(findBun(root, '1.4.4', { platform: 'darwin', arch: 'arm64' })).toBe(join(root, apple));
  });

  test('is never another version, and the error says what to do', () => {
    const root = makeProject({ [patched]: 'echo 1.3.0' });
    expect(() => findBun(root, '1.4.4', linux)).toThrow(/No Bun 1\.4\.4 for linux x64 .*remove/);
  });
});
