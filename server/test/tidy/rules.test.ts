// The rules can fail: each is tested with small samples that break it.
import { describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConventions } from './conventions.ts';
import { checkUnusedExports } from './unused-exports.ts';
import { checkUnusedFiles } from './unused-files.ts';
import { checkCitedPaths } from './cited-paths.ts';
import { checkPurity } from './purity.ts';
import { makeSource, projectRoot } from './source.ts';
import { checkDeclarations, checkTables } from './tables.ts';
import { checkThreads } from './threads.ts';
import { checkModuleApis } from './module-apis.ts';
import { checkImports } from './module-imports.ts';
import { checkWording } from './wording.ts';

function imports(path: string, ...lines: string[]): string[] {
  return checkImports([makeSource(path, lines.join('\n'))]);
}

describe('the import table', () => {
  test.each([
    ['contract/src/a.ts', "import { b } from '@trivium/server';"],
    ['contract/src/a.ts', "import { b } from 'pino';"],
    ['contract/src/a.test.ts', "import { b } from '@trivium/sandbox';"],
    ['server/src/billing/core/a.ts', "import { b } from '../../platform/b.ts';"],
    ['server/src/billing/core/a.ts', "import type { b } from '../b.ts';"],
    ['server/src/search/core/a.ts', "import { createHash } from 'node:crypto';"],
    ['server/src/negotiation/a.ts', "import type { b } from '../providers/b.ts';"],
    ['server/src/providers/exa/a.ts', "import { b } from '../tavily/b.ts';"],
    ['server/src/providers/exa/a.ts', "import { b } from '../../upstream/b.ts';"],
    ['server/src/platform/a.ts', "export { b } from '../store/b.ts';"],
    ['server/src/platform/a.ts', "import { b } from '../billing/core/b.ts';"],
    ['server/src/store/a.ts', "import { b } from '../billing/b.ts';"],
    ['server/src/billing/store/a.ts', "import { b } from '../b.ts';"],
    ['server/src/billing/a.ts', "import { b } from '../accounts/b.ts';"],
    ['server/src/accounts/a.ts', "import { b } from '../reporting/b.ts';"],
    ['server/src/extract/a.ts', "import { b } from '../search/b.ts';"],
    ['server/src/search/a.ts', "import { b } from '../http/b.ts';"],
    ['server/src/search/a.ts', "import { b } from '../app/context.ts';"],
    ['server/src/search/a.ts', "const b = await import('bun');"],
    ['server/src/http/a.ts', "import { b } from '../store/b.ts';"],
    ['server/src/http/routes/api/a.ts', "import { b } from '../../../providers/b.ts';"],
    ['sdk/src/a.ts', "import { b } from '@trivium/server';"],
    ['sandbox/src/a.ts', "import { b } from '@trivium/contract';"],
    ['sandbox/src/a.test.ts', "import { b } from '../../server/src/b.ts';"],
    ['server/src/app/start.ts', "import { b } from '../../../sandbox/src/b.ts';"],
  ])('%s may not contain %s', (path, line) => {
    expect(imports(path, '// A comment.', line)).toEqual([expect.stringContaining(`${path}:2: `)]);
  });

  test.each([
    ['contract/src/a.ts', "import { z } from 'zod';"],
    ['server/src/billing/core/a.ts', "import { b } from '@trivium/contract';"],
    ['server/src/billing/core/a.ts', "import { b } from '../../search/core/b.ts';"],
    ['server/src/billing/core/a.test.ts', "import { b } from 'fast-check';"],
    ['server/src/providers/exa/a.ts', "import type { Provider } from '../provider.ts';"],
    ['server/src/providers/exa/a.ts', "import { b } from '../shared/b.ts';"],
    ['server/src/providers/exa/a.ts', "import { b } from '../../negotiation/dates.ts';"],
    ['server/src/platform/a.ts', "import { b } from 'node:fs';"],
    ['server/src/billing/a.ts', "import { b } from './store/b.ts';"],
    ['server/src/billing/store/a.ts', "import { b } from '../../store/rows.ts';"],
    ['server/src/reporting/a.ts', "import { b } from '../accounts/b.ts';"],
    ['server/src/search/a.ts', "import { b } from '../billing/charge.ts';"],
    ['server/src/http/a.ts', "import { b } from '../platform/log.ts';"],
    ['server/src/app/start.ts', "import { b } from '@trivium/sandbox';"],
    ['server/test/a.ts', "import { b } from '../src/store/b.ts';"],
    ['sandbox/src/a.ts', '// import { b } from "@trivium/server";'],
    ['sandbox/src/a.test.ts', 'const sample = `import { b } from "@trivium/server";`;'],
  ])('%s may contain %s', (path, line) => {
    expect(imports(path, line)).toEqual([]);
  });

  test('an import over several lines is found where it begins', () => {
    const faults = imports('sdk/src/a.ts', '', 'import {', '  b,', "} from '@trivium/server';");
    expect(faults).toEqual([expect.stringContaining('sdk/src/a.ts:2: sdk/ may not import')]);
  });
});

describe('the owner of a table', () => {
  const check = (path: string, line: string) =>
    checkTables([makeSource(path, `// From requests.\n${line}`)], []);

  test.each([
    ['server/src/reporting/store/a.ts', "run('select cost from requests')"],
    ['server/src/billing/a.ts', 'run(`select 1 from ${x} left join jobs on true`)'],
    ['server/src/app/a.ts', "const list = { table: 'audit_log', columns };"],
    ['server/src/search/a.ts', 'const where = `usage_tags${filters}`;'],
    ['server/src/http/a.ts', "run('insert into keys (id) values ($1)')"],
    ['server/src/accounts/store/a.ts', "run('update  holds set amount = 0')"],
  ])('%s may not contain %s', (path, line) => {
    expect(check(path, line)).toEqual([expect.stringContaining(`${path}:2: names `)]);
  });

  test.each([
    ['server/src/requests/store/a.ts', "run('select cost from requests')"],
    ['server/src/reporting/a.ts', "import { readRequest } from '../requests/index.ts';"],
    ['server/src/search/a.ts', '// from requests'],
    ['server/test/store/a.ts', "run('select cost from requests')"],
  ])('%s may contain %s', (path, line) => {
    expect(check(path, line)).toEqual([]);
  });

  test('a table is declared by one module', () => {
    const paths = ['server/src/billing/store/a.ts', 'server/src/events/store/a.ts'];
    const twice = paths.map((path) => makeSource(path, "const held = table('holds', {});"));
    const faults = checkDeclarations(twice);
    expect(faults).toContain('holds is declared 2 times');
    expect(faults).toContain('jobs is declared 0 times');
  });

  test('an exception applies to its file and its table, and must be needed', () => {
    const allowed = [{ files: ['search/a.ts', 'search/b.ts'], tables: ['jobs', 'keys'] as const }];
    const used = makeSource('server/src/search/a.ts', "run('delete from jobs')");
    expect(checkTables([used], allowed)).toEqual([
      expect.stringContaining('search/b.ts needs no exception'),
      expect.stringContaining('keys needs no exception'),
    ]);
    const other = makeSource('server/src/search/c.ts', "run('delete from jobs')");
    expect(checkTables([used, other], allowed)).toContainEqual(
      expect.stringContaining('search/c.ts:1: names jobs, a table of transcription'),
    );
  });
});

describe('the API of a module', () => {
  const check = (path: string, line: string) =>
    checkModuleApis([makeSource(path, `// A comment.\n${line}`)]);

  test.each([
    ['server/src/accounts/a.ts', "import { b } from '../billing/charge.ts';"],
    ['server/src/accounts/a.ts', "import type { B } from '../billing/core/b.ts';"],
    ['server/src/app/a.ts', "import { b } from '../billing/store/b.ts';"],
    ['server/src/app/a.ts', "import { b } from '../billing/core/other/index.ts';"],
    ['server/src/billing/a.ts', "import { b } from './index.ts';"],
    ['server/src/billing/store/a.ts', "import { b } from '../core/index.ts';"],
  ])('%s may not contain %s', (path, line) => {
    expect(check(path, line)).toEqual([expect.stringContaining(`${path}:2: imports `)]);
  });

  test.each([
    ['server/src/accounts/a.ts', "import { b } from '../billing/index.ts';"],
    ['server/src/accounts/a.ts', "import type { B } from '../billing/core/index.ts';"],
    ['server/src/accounts/a.ts', "import { b } from '../platform/b.ts';"],
    ['server/src/accounts/a.test.ts', "import { b } from '../billing/charge.ts';"],
    ['server/src/main.ts', "import { b } from './app/b.ts';"],
  ])('%s may contain %s', (path, line) => {
    expect(check(path, line)).toEqual([]);
  });

  test('exports only what another module uses', () => {
    const index = makeSource('server/src/cache/index.ts', "export { a, b } from './cache.ts';");
    const user = makeSource('server/src/search/a.ts', "import { a } from '../cache/index.ts';");
    expect(checkModuleApis([index, user])).toEqual([expect.stringContaining('uses b')]);
  });
  test('is not loaded by a thread', () => {
    const path = 'server/src/transcription/read-transcript-thread.ts';
    const index = makeSource('server/src/upstream/index.ts', "export { b } from './b.ts';");
    const faults = (line: string) => checkThreads([makeSource(path, line), index], []);
    expect(faults("import { b } from '../upstream/index.ts';")).toHaveLength(1);
    expect(faults("import type { B } from '../upstream/index.ts';")).toEqual([]);
  });

  test('a file names only threads of its own module', () => {
    const names = (to: string) =>
      checkThreads([makeSource('server/src/store/a.ts', `new URL('${to}', import.meta.url)`)], []);
    expect(names('../app/b-thread.ts')).toEqual([expect.stringContaining('app/b-thread.ts')]);
    expect(names('./b-thread.ts')).toEqual([]);
  });
});

describe('pure modules', () => {
  test.each(['const now = new Date();', 'const now = new Date;', 'const pool = new SQL({ url });'])(
    'refuse %s, as others do outside platform',
    (line) => {
      for (const path of ['server/src/search/core/a.ts', 'server/src/http/a.ts']) {
        const file = makeSource(path, `// A comment.\n${line}`);
        expect(checkPurity([file])[0]).toStartWith(`${path}:2: `);
      }
      for (const path of ['server/src/platform/a.ts', 'server/src/search/core/a.test.ts']) {
        expect(checkPurity([makeSource(path, line)])).toEqual([]);
      }
    },
  );

  test.each([
    'const day = new Date(now_ms);',
    "const advice = 'call new Date()';",
    '// new Date()',
  ])('accept %s', (line) =>
    expect(checkPurity([makeSource('contract/src/a.ts', line)])).toEqual([]),
  );

  test('the linter rejects the other words, with few exceptions', () => {
    // Its rules for a file are those of the last override that fits it.
    const { overrides } = JSON.parse(readFileSync(join(projectRoot, '.oxlintrc.json'), 'utf8')) as {
      overrides: { files: string[]; rules: Record<string, unknown> }[];
    };
    const ruled = overrides.filter(({ rules }) => 'eslint/no-restricted-globals' in rules);
    expect(ruled.map(({ files }) => files[0])).toEqual([
      ...['server/src/**', 'server/src/platform/**', 'contract/src/**', '**/*.test.ts'],
    ]);
  });
});

describe('conventions', () => {
  test.each([
    ['server/src/utils.ts', '// A comment.'],
    ['server/src/string-helpers.ts', '// A comment.'],
    ['server/src/misc/a.ts', '// A comment.'],
    ['server/src/a.ts', 'const a = 1;'],
    ['server/src/a.ts', '// A comment.\n// oxlint-disable-next-line'],
    ['server/src/a.ts', "// A comment.\nexport * from './b.ts';"],
    ['server/src/a.ts', '// A comment.\nclass Engine {}'],
    ['server/src/a.ts', '// A comment.\nreturn (JSON.parse(String(row(1))) as Job);'],
    ['server/src/a.test.ts', "// A comment.\ntest.skip('works', () => {});"],
    ['server/src/a.test.ts', "// A comment.\ndescribe.only.each(rows)('works', () => {});"],
    ['server/src/a.test.ts', "// A comment.\ntest.todo('works');"],
  ])('refuse %s with %j', (path, text) => {
    expect(checkConventions([makeSource(path, text)])).toEqual([
      expect.stringContaining(`${path}:`),
    ]);
  });

  test.each([
    ['server/src/page-key.test.ts', '// A comment.'],
    ['sdk/src/main.ts', '#!/usr/bin/env bun\n// A comment.'],
    ['contract/src/index.ts', "// A comment.\nexport * from './b.ts';"],
    ['server/src/a.ts', '// A comment.\nexport class GatewayError extends Error {}'],
    ['server/src/a.ts', '// A comment.\nreturn Job.parse(JSON.parse(text)).id as JobId;'],
    ['server/src/a.test.ts', '// A comment.\nreturn JSON.parse(text) as Job;'],
    ['e2e/leave-out.ts', "// A comment.\ntest.skip('works', () => {});"],
  ])('accept %s with %j', (path, text) => {
    expect(checkConventions([makeSource(path, text)])).toEqual([]);
  });
});

describe('wording', () => {
  test('an unclear phrase of a document is listed with its line, but not one of the changelog', () => {
    const root = mkdtempSync(join(tmpdir(), 'trivium-wording-'));
    try {
      mkdirSync(join(root, 'docs'));
      writeFileSync(join(root, 'docs', 'a.md'), '# A\n\nWhoever calls: the answer is a 404.\n');
      writeFileSync(join(root, 'README.md'), 'The key stands for an account.\n');
      writeFileSync(join(root, 'CHANGELOG.md'), 'The answer is a 404.\n');
      expect(checkWording(root).map((fault) => fault.split('. ')[0])).toEqual([
        'README.md:1: "stands for"',
        'docs/a.md:3: "Whoever"',
        'docs/a.md:3: "is a 404"',
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe('unused files', () => {
  const unused = makeSource('server/src/unused.ts', '// A comment.');
  const needs = (text: string) =>
    checkUnusedFiles([unused, makeSource('server/src/a.test.ts', text)], []);

  test('a file that is never mentioned is listed', () => {
    expect(needs("import { other } from './other.ts';")).toEqual([
      expect.stringContaining('server/src/unused.ts:1: no file imports'),
    ]);
    expect(needs("// It once used './unused.ts'.")).toHaveLength(1);
  });

  test('a file that is imported, spawned or named by a package is needed', () => {
    expect(needs("import { unused } from './unused.ts';")).toEqual([]);
    expect(needs("spawn('bun', ['server/src/unused.ts']);")).toEqual([]);
    expect(checkUnusedFiles([unused], ['server/src/unused.ts'])).toEqual([]);
  });
});

test('a path that does not exist is found in a document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-tidy-'));
  const text = 'See `server/src/gone.ts`, `server/src/providers/<vendor>/` and `npm test`.';
  writeFileSync(join(folder, 'A.md'), text);
  expect(checkCitedPaths(folder, ['A.md'])).toEqual(['A.md: there is no server/src/gone.ts.']);
  rmSync(folder, { recursive: true });
});

describe('exports', () => {
  const tool = makeSource('server/src/tool.ts', 'export const tool = 1;\nexport const spare = 2;');
  const check = (path: string, text: string) => checkUnusedExports([tool, makeSource(path, text)]);

  test('that no file uses are listed', () => {
    expect(check('server/src/a.ts', "import { tool } from './tool.ts';")).toEqual([
      expect.stringContaining('server/src/tool.ts:2: no other file uses spare'),
    ]);
    expect(check('server/src/a.ts', "// import { spare, tool } from './tool.ts';")).toHaveLength(2);
    expect(check('server/src/a.ts', "import { spare, tool } from './other.ts';")).toHaveLength(2);
  });

  test('may be used in every form of import', () => {
    const uses = [
      "import { type tool, spare as other } from './tool.ts';",
      "import {\n  tool,\n  spare,\n} from './tool.ts';",
      "const all = await import('./tool.ts');",
      "import * as all from './tool.ts';\nrun(all.tool, all.spare);",
      "import * as all from './tool.ts';\nrun(all);",
      "export { tool, spare } from './tool.ts';",
    ];
    for (const text of uses) expect([text, check('server/src/a.ts', text)]).toEqual([text, []]);
  });

  test('of a namespace are used only where one of its names is read', () => {
    const text = "import * as all from './tool.ts';\nrun(all.tool, call.spare, other.all.spare);";
    expect(check('server/src/a.ts', text)).toEqual([
      expect.stringContaining('server/src/tool.ts:2: no other file uses spare'),
    ]);
  });

  test('are not kept by tests alone, unless their own file uses them', () => {
    const useIt = "import { tool, spare } from './tool.ts';";
    expect(check('server/src/tool.test.ts', useIt)).toHaveLength(2);
    const inner = makeSource('server/src/tool.ts', 'export const tool = 1;\nrun(tool);');
    const test = makeSource('server/src/tool.test.ts', "import { tool } from './tool.ts';");
    expect(checkUnusedExports([inner, test])).toEqual([]);
  });
});
