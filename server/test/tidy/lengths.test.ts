// The length rules: files, functions in every syntax, and lines.
import { describe, expect, test } from 'bun:test';
import { findFunctions } from './functions.ts';
import { checkLengths } from './lengths.ts';
import { makeSource } from './source.ts';

const path = 'server/src/a.ts';

function repeat(line: string, times: number): string {
  return `${line}\n`.repeat(times);
}

function lengths(text: string): number[] {
  return findFunctions(makeSource(path, text).code).map((found) => found.lines);
}

describe('functions', () => {
  test.each([
    'function run() {\n  return 1;\n}',
    'export async function run(a: string): Promise<void> {\n  await a;\n}',
    "function run(kind: 'a' | 'b'): 'a' | { b: 'b' } {\n  return kind;\n}",
    'function run(): { a: number; b: string[] } {\n  return x;\n}',
    'function run(): (a: number) => Map<string, () => void> {\n  return x;\n}',
    'function run(a: unknown): a is string {\n  return x;\n}',
    'const run = () => {\n  return 1;\n};',
    'const run = async (a: string): Promise<void> => {\n  await a;\n};',
    'const run = (a: string) => ({\n  a,\n});',
    'const it = {\n  run() {\n    return 1;\n  },\n};',
    "const it = `${list.map((a) => {\n  return '}';\n})}`;",
    'const run = (a: string) => {\n  return /[{(]/.test(a);\n};',
  ])('%j holds one of three lines', (text) => {
    expect(lengths(text)).toEqual([3]);
  });

  test.each([
    'if (a) {\n  b();\n}',
    'for (const a of b()) {\n  a;\n}',
    'for await (const a of b()) {\n  a;\n}',
    'switch (a) {\n  case f(b): {\n    c;\n  }\n}',
    'const a = b ? f(c) : {\n  d,\n};',
    "describe('it', () => {\n  a;\n});",
    "describe.each(rows)('it', () => {\n  a;\n});",
    '// function run() {\n// }\n',
  ])('%j holds none', (text) => {
    expect(lengths(text)).toEqual([]);
  });

  test('one of 81 lines is too long and one of 80 is not', () => {
    const body = (lines: number) => `// A.\nfunction run() {\n${repeat('  a();', lines - 2)}}\n`;
    expect(checkLengths([makeSource(path, body(80))])).toEqual([]);
    expect(checkLengths([makeSource(path, body(81))])).toEqual([
      expect.stringContaining(`${path}:2: a function of 81 lines, at most 80`),
    ]);
  });
});

describe('files and lines', () => {
  const long = repeat('a();', 301);

  test('a file of 301 lines is too long and one of 300 is not', () => {
    expect(checkLengths([makeSource(path, repeat('a();', 300))])).toEqual([]);
    expect(checkLengths([makeSource(path, long)])).toEqual([
      expect.stringContaining(`${path}:1: 301 lines, at most 300`),
    ]);
  });

  test('a line of 101 characters is too long, in a comment too', () => {
    const text = `// ${'é'.repeat(97)}\n// ${'é'.repeat(98)}\n`;
    expect(checkLengths([makeSource(path, text)])).toEqual([
      expect.stringContaining(`${path}:2: 101 columns, at most 100`),
    ]);
  });

  test('pure data may be long', () => {
    expect(checkLengths([makeSource('sandbox/src/corpus/water.ts', long)])).toEqual([]);
    expect(checkLengths([makeSource('e2e/requirements/errors.ts', long)])).toEqual([]);
  });

  test('an exception covers its file, and is reported once it is not needed', () => {
    const exception = { path: path, rule: 'file', reason: 'One table.' } as const;
    expect(checkLengths([makeSource(path, long)], [exception])).toEqual([]);
    expect(checkLengths([makeSource(path, 'a();')], [exception])).toEqual([
      expect.stringContaining('remove its exception'),
    ]);
  });
});
