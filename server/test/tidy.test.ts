// The project's rules as tests: each lists what breaks a rule, and how to fix it.
import { expect, setDefaultTimeout, test } from 'bun:test';
import { checkCitedPaths } from './tidy/cited-paths.ts';
import { checkConventions } from './tidy/conventions.ts';
import { checkLimits } from './tidy/limits.ts';
import { checkImports } from './tidy/module-imports.ts';
import { checkModuleApis, countExportedNames } from './tidy/module-apis.ts';
import { checkPurity } from './tidy/purity.ts';
import { readProject } from './tidy/source.ts';
import { checkDeclarations, checkTables } from './tidy/tables.ts';
import { checkThreads } from './tidy/threads.ts';
import { checkUnusedExports } from './tidy/unused-exports.ts';
import { checkUnusedFiles } from './tidy/unused-files.ts';
import { checkWording } from './tidy/wording.ts';

const project = readProject();
// The first rule reads every file, which takes time on a busy machine.
setDefaultTimeout(60_000);

test('the project is read, so that the rules below have something to check', () => {
  const paths = project.map((file) => file.path);
  expect(paths).toContain('server/test/tidy.test.ts');
  expect(paths).toContain('server/src/main.ts');
  expect(paths).toContain('contract/src/index.ts');
});

test('every import is one that the table in ARCHITECTURE.md allows', () => {
  expect(checkImports(project)).toEqual([]);
});

test('a module is imported through its index, which exports only what others use', () => {
  expect(checkModuleApis(project)).toEqual([]);
  process.stdout.write(`names exported: ${countExportedNames(project)}\n`);
});

test('only platform reads the current time and opens stores', () => {
  expect(checkPurity(project)).toEqual([]);
});

test('every request that the server sends says what happens on a redirect', () => {
  const calls = project
    .filter(({ path }) => path.startsWith('server/src/') && !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) => [...text.matchAll(sentRequest)].map(([call]) => ({ path, call })));
  expect(calls.length).toBeGreaterThan(3);
  expect(calls.filter(({ call }) => !call.includes('redirect:'))).toEqual([]);
});

/** A call with its options. */
const sentRequest = /(?:machine\.|(?<![.\w]))fetch\((?:[^(){}]|\([^()]*\))+, \{.*?\n\s*\}\);/gs;

test('only the SQL of its owner names a table, with few exceptions', () => {
  expect(checkTables(project)).toEqual([]);
});

test('each table is declared once', () => {
  expect(checkDeclarations(project)).toEqual([]);
});

test('every limit in SQL says what happens to the rows beyond it', () => {
  expect(checkLimits(project)).toEqual([]);
});

test('the threads of the store load no package, and no thread loads a module as a whole', () => {
  expect(checkThreads(project)).toEqual([]);
});

test('every file has a descriptive name and a first line that says what it is', () => {
  expect(checkConventions(project)).toEqual([]);
});

test('every export of the server is used by another file', () => {
  expect(checkUnusedExports(project)).toEqual([]);
});

test('every file is imported or started', () => {
  expect(checkUnusedFiles(project)).toEqual([]);
});

test('every path that a document cites exists', () => {
  expect(checkCitedPaths()).toEqual([]);
});

test('documents name the actor, in standard technical words', () => {
  expect(checkWording()).toEqual([]);
});
