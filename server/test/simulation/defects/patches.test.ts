// The sources change, and a former defect that cannot be put back any more proves nothing.
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Glob } from 'bun';

test('each former defect can be put back', () => {
  const root = join(import.meta.dir, '../../../..');
  const patches = [...new Glob('**/*.patch').scanSync(import.meta.dir)];
  const broken = patches.filter((patch) => {
    const command = ['git', 'apply', '--check', '-C1', join(import.meta.dir, patch)];
    return Bun.spawnSync(command, { cwd: root }).exitCode !== 0;
  });
  expect([patches.length > 0, ...broken]).toEqual([true]);
});
