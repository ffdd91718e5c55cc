// Where tests keep packages and browsers.
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneCache, findSharedCache } from './test-cache.ts';

test('clones share a folder of the user, unless it cannot be made', () => {
  const home = mkdtempSync(join(tmpdir(), 'trivium-cache-'));
  try {
    expect(findSharedCache(undefined, home)).toBe(join(home, '.cache', 'trivium-tests'));
    expect(findSharedCache('', home)).toBe(join(home, '.cache', 'trivium-tests'));
    expect(findSharedCache(join(home, 'named'), home)).toBe(join(home, 'named', 'trivium-tests'));
    writeFileSync(join(home, 'file'), '');
    expect(findSharedCache(join(home, 'file'), home)).toBe(cloneCache);
  } finally {
    rmSync(home, { recursive: true });
  }
});
