// The generated parts of the clients are those that their sources give.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'bun:test';
import { projectRoot } from './command.ts';
import { generatedFiles } from './clients.ts';

test.each([...generatedFiles()])('%s is up to date: npm run generate -- clients', (path, text) => {
  expect(readFileSync(join(projectRoot, path), 'utf8')).toBe(text);
});
