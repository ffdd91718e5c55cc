// The arithmetic in docs/growing.md is that of the last measurements.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { growingPage } from './arithmetic.ts';

test('the arithmetic in the documentation is that of the measurements', () => {
  const page = readFileSync(join(import.meta.dir, '../docs/growing.md'), 'utf8');
  expect(growingPage()).toBe(page);
});
