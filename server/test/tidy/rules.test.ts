// Proves that the rules of tidiness can fail: each meets a small sample that breaks it.
import { describe, expect, test } from 'bun:test';
import { checkManners } from './manners.ts';
import { checkOrphans } from './orphans.ts';
import { checkPurity } from './pure-floors.ts';
import { makeSource } from './source.ts';
import { checkWalls } from './walls.ts';

function walls(path: string, ...lines: string[]): string[] {
  const registry = makeSource('server/src/providers/index.ts', "import { exa } from './exa.ts';");
  return checkWalls([registry, makeSource(path, lines.join('\n'))]);
}

describe('the import table', () => {
  test.each([
    ['contract/src/a.ts', "import { b } from '@trivium/server';"],
    ['contract/src/a.ts', "import { b } from 'hono';"],
    ['contract/src/a.test.ts', "import { b } from '@trivium/sandbox';"],
    ['server/src/domain/a.ts', "import { b } from '../platform/b.ts';"],
    ['server/src/domain/a.ts', "import type { b } from '../providers/b.ts';"],
    ['server/src/domain/deep/a.ts', "import { createHash } from 'node:crypto';"],
    ['server/src/providers/a.ts', "import { exa } from './exa.ts';"],
    ['server/src/providers/a.ts', "import { b } from '../services/b.ts';"],
    ['server/src/platform/a.ts', "export { b } from '../store/b.ts';"],
    ['server/src/platform/a.ts', "import { b } from '../domain/b.ts';"],
    ['server/src/store/a.ts', "import { b } from '../services/b.ts';"],
    ['server/src/services/a.ts', "import { b } from '../http/b.ts';"],
    ['server/src/services/a.ts', "const b = await import('bun');"],
    ['server/src/http/a.ts', "import { b } from '../store/b.ts';"],
    ['server/src/http/routes/a.ts', "import { b } from '../../platform/database.ts';"],
    ['sdk/src/a.ts', "import { b } from '@trivium/server';"],
    ['sandbox/src/a.ts', "import { b } from '@trivium/contract';"],
    ['sandbox/src/a.test.ts', "import { b } from '../../server/src/b.ts';"],
    ['server/src/start.ts', "import { b } from '../../sandbox/src/b.ts';"],
  ])('%s may not say %s', (path, line) => {
    expect(walls(path, '// A comment.', line)).toEqual([expect.stringContaining(`${path}:2: `)]);
  });

  test.each([
    ['contract/src/a.ts', "import { z } from 'zod';"],
    ['server/src/domain/a.ts', "import { b } from '@trivium/contract';"],
    ['server/src/domain/a.test.ts', "import { b } from 'fast-check';"],
    ['server/src/providers/a.ts', "import type { Provider } from './provider.ts';"],
    ['server/src/providers/a.ts', "import { b } from '../domain/dates.ts';"],
    ['server/src/platform/a.ts', "import { b } from 'node:fs';"],
    ['server/src/services/a.ts', "import { b } from '../store/b.ts';"],
    ['server/src/http/a.ts', "import { b } from '../platform/log.ts';"],
    ['server/src/start.ts', "import { b } from '@trivium/sandbox';"],
    ['server/test/a.ts', "import { b } from '../src/store/b.ts';"],
    ['sandbox/src/a.ts', '// import { b } from "@trivium/server";'],
    ['sandbox/src/a.test.ts', 'const sample = `import { b } from "@trivium/server";`;'],
  ])('%s may say %s', (path, line) => {
    expect(walls(path, line)).toEqual([]);
  });

  test('an import over several lines is found where it begins', () => {
    const faults = walls('sdk/src/a.ts', '', 'import {', '  b,', "} from '@trivium/server';");
    expect(faults).toEqual([expect.stringContaining('sdk/src/a.ts:2: sdk may import contract')]);
  });
});

describe('pure floors', () => {
  test.each([
    'const answer = await fetch(url);',
    'const key = process.env["KEY"];',
    'const now = Date.now();',
    'const now = new Date();',
    'const now = new Date;',
    'const dice = Math.random();',
    'const id = crypto.randomUUID();',
    'const file = Bun.file(path);',
    'const text = `at ${Date.now()}`;',
  ])('refuse %s', (line) => {
    const file = makeSource('server/src/domain/a.ts', `// A comment.\n${line}`);
    expect(checkPurity([file])[0]).toStartWith('server/src/domain/a.ts:2: ');
    expect(checkPurity([makeSource('server/src/domain/a.test.ts', line)])).toEqual([]);
  });

  test.each([
    'const day = new Date(now_ms);',
    "const advice = 'call fetch(url) with Date.now()';",
    '// Date.now() is not known here.',
    'const text = options.process.name;',
    'const pattern = /fetch(er)?/;',
  ])('accept %s', (line) => {
    expect(checkPurity([makeSource('contract/src/a.ts', line)])).toEqual([]);
  });

  test('only the roof of the server reads the environment', () => {
    const text = 'const port = process.env["PORT"];';
    expect(checkPurity([makeSource('server/src/services/a.ts', text)])).toHaveLength(1);
    expect(checkPurity([makeSource('server/src/main.ts', text)])).toEqual([]);
  });
});

describe('manners', () => {
  test.each([
    ['server/src/utils.ts', '// A comment.'],
    ['server/src/string-helpers.ts', '// A comment.'],
    ['server/src/misc/a.ts', '// A comment.'],
    ['server/src/PageKey.ts', '// A comment.'],
    ['server/src/a.ts', 'const a = 1;'],
    ['server/src/a.ts', '// A comment.\nexport default a;'],
    ['server/src/a.ts', '// A comment.\n// TODO: later.'],
    ['server/src/a.ts', '// A comment.\n// @ts-ignore'],
    ['server/src/a.ts', "// A comment.\nexport * from './b.ts';"],
    ['server/src/a.ts', '// A comment.\nclass Engine {}'],
    ['server/src/a.test.ts', "// A comment.\ntest.skip('works', () => {});"],
    ['server/src/a.test.ts', "// A comment.\ndescribe.only.each(rows)('works', () => {});"],
    ['server/src/a.test.ts', "// A comment.\ntest.todo('works');"],
  ])('refuse %s with %j', (path, text) => {
    expect(checkManners([makeSource(path, text)])).toEqual([expect.stringContaining(`${path}:`)]);
  });

  test.each([
    ['server/src/page-key.test.ts', '// A comment.'],
    ['sdk/src/main.ts', '#!/usr/bin/env bun\n// A comment.'],
    ['contract/src/index.ts', "// A comment.\nexport * from './b.ts';"],
    ['server/src/a.ts', '// A comment.\nexport class GatewayError extends Error {}'],
    ['server/src/a.ts', "// A comment.\nconst word = 'TODO';"],
    ['e2e/clients/python.test.ts', "// A comment.\ntest.skip('works', () => {});"],
  ])('accept %s with %j', (path, text) => {
    expect(checkManners([makeSource(path, text)])).toEqual([]);
  });
});

describe('orphans', () => {
  const lonely = makeSource('server/src/lonely.ts', '// A comment.');
  const needs = (text: string) =>
    checkOrphans([lonely, makeSource('server/src/a.test.ts', text)], []);

  test('a file nobody mentions is named', () => {
    expect(needs("import { other } from './other.ts';")).toEqual([
      expect.stringContaining('server/src/lonely.ts:1: nobody imports'),
    ]);
    expect(needs("// It once used './lonely.ts'.")).toHaveLength(1);
  });

  test('a file that is imported, spawned or named by a package is needed', () => {
    expect(needs("import { lonely } from './lonely.ts';")).toEqual([]);
    expect(needs("spawn('bun', ['server/src/lonely.ts']);")).toEqual([]);
    expect(checkOrphans([lonely], ['server/src/lonely.ts'])).toEqual([]);
  });
});
