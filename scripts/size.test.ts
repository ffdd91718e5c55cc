// The ratchet of sizes: what counts, and that scripts/size.json holds.
import { expect, test } from 'bun:test';
import { checkSizes, compareSizes, measureSizes } from './size.ts';

const file = (path: string, text: string) => ({ path, text });

test('product code, tests, exported names and contexts are counted by part', () => {
  const sizes = measureSizes([
    file(
      'server/src/store/index.ts',
      'export { one, two } from "a";\nexport type {\n  Three,\n};\n',
    ),
    file('server/src/store/rows.ts', 'interface StoreContext {\n}\n'),
    file('server/src/store/rows.test.ts', 'test();\n'),
    file('server/src/providers/a/fixtures/x.ts', 'data\n'),
    file('server/src/main.ts', 'start();\n'),
    file('python/src/models.py', '# Written by scripts/x.ts: do not edit.\nx = 1\n'),
    file('python/src/client.py', 'x = 1\n'),
    file('e2e/harness.ts', 'a\nb\n'),
    file('package.json', '{"scripts":{"start":"","test":""}}'),
  ]);
  expect(sizes).toEqual({
    'server/src/store': { lines: 6, 'test lines': 1, files: 2, names: 3 },
    'server/src': { contexts: 1 },
    server: { lines: 1, files: 1 },
    python: { lines: 1, files: 1 },
    e2e: { 'test lines': 2 },
    root: { 'package scripts': 2 },
  });
});

test('a figure that rises is named, also of a new part, and one that falls', () => {
  const kept = { a: { lines: 10, files: 2 }, gone: { lines: 3 } };
  expect(compareSizes(kept, { a: { lines: 11, files: 1 }, b: { lines: 1 } })).toEqual({
    rose: ['a: lines 10 -> 11', 'b: lines 0 -> 1'],
    fell: ['a: files 2 -> 1', 'gone: lines 3 -> 0'],
  });
});

test('no figure is above the one in scripts/size.json', () => {
  const printed: string[] = [];
  const holds = checkSizes((text) => printed.push(text));
  expect([holds, printed.filter((line) => line.startsWith('ROSE'))]).toEqual([true, []]);
});
