// Where a test run keeps its temporary files.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeRunFolder } from './memory-folder.ts';

const memory = mkdtempSync(join(tmpdir(), 'trivium-memory-'));
const made: string[] = [memory];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function makeIn(place: string, isEnough: boolean): string {
  const folder = makeRunFolder(place, () => isEnough);
  made.push(folder);
  return folder;
}

test('a run uses memory if there is enough, and another user may pass through its folder', () => {
  const folder = makeIn(memory, true);
  expect(dirname(folder)).toBe(memory);
  expect(statSync(folder).mode & 0o777).toBe(0o711);
});

test('without enough memory, or without such a folder, a run uses the disk', () => {
  expect(dirname(makeIn(memory, false))).toBe(tmpdir());
  expect(dirname(makeIn(join(memory, 'missing'), true))).toBe(tmpdir());
});
