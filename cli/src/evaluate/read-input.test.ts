// What is read as a file of an evaluation.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readInput } from './read-input.ts';

const folder = mkdtempSync(join(tmpdir(), 'trivium-evaluate-input-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a path that is not a file, or a file that is too large or endless, is refused before it is read', async () => {
  const path = join(folder, 'many.jsonl');
  writeFileSync(path, 'x'.repeat(2048));
  const fault = (file: string, most: number) => readInput(file, most).catch(String);
  expect(await fault(path, 1024)).toContain('an evaluation reads at most 1');
  expect(await fault(join(folder, 'none'), 1024)).toContain('cannot be read: ENOENT');
  expect(await fault(folder, 1024)).toContain('is not a file');
  expect(await fault('/dev/zero', 1024)).toContain('is not a file');
  expect(await readInput(path, 4096)).toHaveLength(2048);
});
