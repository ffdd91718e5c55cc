// The tables behind the command line: parsing, suggestions, help and completion agree.
import { describe, expect, test } from 'bun:test';
import { commands } from './commands.ts';
import { completionFor, shells } from './completion.ts';
import { cut, widthOf } from './display-width.ts';
import { commandHelp, overview } from './help.ts';
import { parseArguments } from './parse.ts';
import { makeStyle, plain, wantsColours } from './style.ts';
import { closest } from '@trivium/contract';
import { formatTable } from './table.ts';

const style = makeStyle(false);
const search = commandNamed('search');

function commandNamed(name: string) {
  const command = commands.find((known) => known.name === name);
  if (command === undefined) throw new Error(`There is no command ${name}.`);
  return command;
}

describe('parsing', () => {
  test('options may come before, between and after the words of a query', () => {
    const given = parseArguments(search, ['-n', '3', 'solar', '--mode=fast', 'energy', '--strict']);
    expect(given.positionals).toEqual(['solar', 'energy']);
    expect(given.number('max-results')).toBe(3);
    expect(given.text('mode')).toBe('fast');
    expect(given.flag('strict')).toBe(true);
    expect(given.flag('json')).toBe(false);
  });

  test('an option may be repeated', () => {
    const given = parseArguments(search, ['x', '--include', 'a.com', '--include', 'b.com']);
    expect(given.texts('include')).toEqual(['a.com', 'b.com']);
  });

  test.each([
    [['--mod', 'fast'], 'Did you mean --mode?'],
    [['--mode', 'deap'], 'Did you mean deep?'],
    [['--mode'], '--mode needs a value.'],
    [['--strict=yes'], '--strict takes no value.'],
  ])('%j is refused with advice', (args, advice) => {
    expect(() => parseArguments(search, args)).toThrow(advice);
  });

  test.each(['serve', 'audit', 'migrate', 'status'])('%s refuses an argument', (name) => {
    const command = commands.find((known) => known.name === name) ?? search;
    expect(() => parseArguments(command, ['extra'])).toThrow(`${name} takes no argument extra.`);
  });

  test('text is refused where a number is needed', () => {
    const given = parseArguments(search, ['-n', 'three', 'x']);
    expect(() => given.number('max-results')).toThrow('must be a number, not three');
  });
});

describe('suggestions', () => {
  test('a similar word is suggested, and no other', () => {
    const names = commands.map(({ name }) => name);
    expect(closest('serch', names)).toBe('search');
    expect(closest('trans', names)).toBe('transcribe');
    expect(closest('weather', names)).toBeUndefined();
  });
});

describe('help and completion', () => {
  test('every command and option is in the help', () => {
    const all = overview(commands, style);
    for (const command of commands) {
      expect(all).toContain(command.name);
      const help = commandHelp(command, style, 80);
      expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThan(101);
      for (const name of Object.keys(command.options)) expect(help).toContain(`--${name}`);
    }
  });

  test.each([...shells])('the completion for %s has every command and option', (shell) => {
    const script = completionFor(shell, commands);
    for (const { name, options } of commands) {
      expect(script).toContain(name);
      for (const option of Object.keys(options)) expect(script).toContain(option);
    }
  });
});

describe('output', () => {
  test('columns are aligned, and the last one is truncated to the terminal', () => {
    const table = formatTable(['id', 'text'], [['one', 'x'.repeat(80)]], { columns: 40, style });
    const lines = table.trimEnd().split('\n');
    expect(lines[0]).toBe('id   text');
    expect(lines[1]).toBe(`one  ${'x'.repeat(34)}…`);
  });

  test('columns are measured in cells of the terminal, not in characters', () => {
    const rows = [
      ['日本語', '一二三四五六七八九十一二三四五六七八九十'],
      ['e\u0301te\u0301', 'x'],
      ['👩‍👩‍👧‍👦🇩🇪', 'y'],
    ];
    const table = formatTable(['name', 'text'], rows, { columns: 30, style });
    const lines = table.trimEnd().split('\n');
    expect(lines).toEqual([
      'name    text',
      '日本語  一二三四五六七八九十…',
      'e\u0301te\u0301     x',
      '👩‍👩‍👧‍👦🇩🇪    y',
    ]);
  });

  test.each([
    ['a🇩🇪b', 3, 'a…'],
    ['a🇩🇪b', 4, 'a🇩🇪b'],
    ['日本', 3, '日…'],
    ['日本', 2, '…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
    ['abc', -5, ''],
    ['', 0, ''],
  ])('%j cut to %p columns is %j', (text, width, expected) => {
    expect(cut(text, width)).toBe(expected);
    expect(widthOf(cut(text, width))).toBeLessThanOrEqual(Math.max(width, 0));
  });

  test('a huge text and long runs of combining marks are truncated', () => {
    expect(cut('x'.repeat(10_000_000), 80)).toBe(`${'x'.repeat(79)}…`);
    expect(cut(`e${'\u0301'.repeat(1_000_000)}`, 10).length).toBeLessThan(10_002);
    const rows = Array.from({ length: 100_000 }, (_, index) => [`id ${index}`, 'y']);
    expect(formatTable(['id', 'text'], rows, { columns: 80, style }).split('\n')).toHaveLength(
      100_002,
    );
  });

  test('NO_COLOR, a dumb terminal and a pipe disable colours', () => {
    expect(wantsColours(true, {})).toBe(true);
    expect(wantsColours(true, { NO_COLOR: '1' })).toBe(false);
    expect(wantsColours(true, { TERM: 'dumb' })).toBe(false);
    expect(wantsColours(false, {})).toBe(false);
  });

  test('control characters of a page do not reach the terminal', () => {
    expect(plain('a\u001b[2Jb\u0007c\nd')).toBe('a[2Jbc\nd');
    expect(plain('a\u202eb\u2066c')).toBe('abc');
  });
});
