// Style as a test: reads the whole project and lists what is out of place, and how to put it right.
import { expect, test } from 'bun:test';
import { checkLengths } from './tidy/lengths.ts';
import { checkManners } from './tidy/manners.ts';
import { checkOrphans } from './tidy/orphans.ts';
import { checkPurity } from './tidy/pure-floors.ts';
import { readProject } from './tidy/source.ts';
import { checkWalls } from './tidy/walls.ts';

const project = readProject();

test('the project is read, so that the rules below have something to judge', () => {
  const paths = project.map((file) => file.path);
  expect(paths).toContain('server/test/tidy.test.ts');
  expect(paths).toContain('server/src/main.ts');
  expect(paths).toContain('contract/src/index.ts');
});

test('every import goes where the table of the house allows', () => {
  expect(checkWalls(project)).toEqual([]);
});

test('pure floors know no clock, dice, machine or network; only the roof, the environment', () => {
  expect(checkPurity(project)).toEqual([]);
});

test('files, functions and lines are short', () => {
  expect(checkLengths(project)).toEqual([]);
});

test('every file has a telling name and first line, and leaves nothing for later', () => {
  expect(checkManners(project)).toEqual([]);
});

test('every file is imported or started by somebody', () => {
  expect(checkOrphans(project)).toEqual([]);
});
