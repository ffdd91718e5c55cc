// Proves that lengths are measured right: files, functions in every spelling, and lines.
import { describe, expect, test } from 'bun:test';
import { findFunctions } from './functions.ts';
import { checkLengths } from './lengths.ts';
import { makeSource } from './source.ts';

const PATH = 'server/src/a.ts';

function repeat(line: string, times: number): string {
  return `${line}\n`.repeat(times);
}

function lengths(text: string): number[] {
  return findFunctions(makeSource(PATH, text).code).map((found) => found.lines);
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

  test('one of 71 lines is too long and one of 70 is not', () => {
    const body = (lines: number) => `// A.\nfunction run() {\n${repeat('  a();', lines - 2)}}\n`;
    expect(checkLengths([makeSource(PATH, body(70))])).toEqual([]);
    expect(checkLengths([makeSource(PATH, body(71))])).toEqual([
      expect.stringContaining(`${PATH}:2: a function of 71 lines, at most 70`),
    ]);
  });
});

describe('files and lines', () => {
  const long = repeat('a();', 251);

  test('a file of 251 lines is too long and one of 250 is not', () => {
    expect(checkLengths([makeSource(PATH, repeat('a();', 250))])).toEqual([]);
    expect(checkLengths([makeSource(PATH, long)])).toEqual([
      expect.stringContaining(`${PATH}:1: 251 lines, at most 250`),
    ]);
  });

  test('a line of 101 characters is too long, in a comment too', () => {
    const text = `// ${'é'.repeat(97)}\n// ${'é'.repeat(98)}\n`;
    expect(checkLengths([makeSource(PATH, text)])).toEqual([
      expect.stringContaining(`${PATH}:2: 101 columns, at most 100`),
    ]);
  });

  test('pure data may be long', () => {
    expect(checkLengths([makeSource('sandbox/src/corpus/water.ts', long)])).toEqual([]);
    expect(checkLengths([makeSource('e2e/requirements/errors.ts', long)])).toEqual([]);
  });

  test('an exception excuses its file, and is refused once nobody needs it', () => {
    const exception = { path: PATH, rule: 'file', reason: 'One table.' } as const;
    expect(checkLengths([makeSource(PATH, long)], [exception])).toEqual([]);
    expect(checkLengths([makeSource(PATH, 'a();')], [exception])).toEqual([
      expect.stringContaining('remove its exception'),
    ]);
  });
});
