// Checks that a provider's own options pass untouched, except keys that poison a merge.
import { expect, test } from 'bun:test';
import { issuesOf } from './issues.ts';
import { max_native_options_depth, NativeOptions } from './native-options.ts';

function faultsOf(json: string): string[] {
  const parsed = NativeOptions.safeParse(JSON.parse(json));
  return parsed.success ? [] : issuesOf(parsed.error).map((issue) => `${issue.path} ${issue.code}`);
}

function nested(levels: number, open = '{"a":', close = '}'): string {
  return open.repeat(levels - 1) + '{}' + close.repeat(levels - 1);
}

test('any JSON object passes, the very same object', () => {
  const options = { a: null, b: [1, { c: 'd' }], e: { f: true }, '': 0 };
  expect(NativeOptions.parse(options)).toBe(options);
});

test.each(['null', '[]', '"a"', '1', 'true'])('%s is not an object of options', (json) => {
  expect(faultsOf(json)).toEqual([' invalid_type']);
});

test.each(['__proto__', 'constructor', 'prototype'])('the key %s is refused anywhere', (key) => {
  expect(faultsOf(`{"${key}":1}`)).toEqual([`${key} forbidden_key`]);
  expect(faultsOf(`{"a":{"${key}":{}}}`)).toEqual([`a.${key} forbidden_key`]);
  expect(faultsOf(`{"a":[0,{"b":{"${key}":null}}]}`)).toEqual([`a.1.b.${key} forbidden_key`]);
});

test('a key that only resembles a forbidden one passes', () => {
  expect(faultsOf('{"proto":1,"Constructor":2,"a":"__proto__","b":["constructor"]}')).toEqual([]);
});

test('every forbidden key is reported, not only the first', () => {
  const faults = faultsOf('{"__proto__":1,"a":{"constructor":1},"b":[{"prototype":1}]}');
  expect(faults.toSorted()).toEqual([
    '__proto__ forbidden_key',
    'a.constructor forbidden_key',
    'b.0.prototype forbidden_key',
  ]);
});

test('options may be nested to the limit and no deeper', () => {
  expect(faultsOf(nested(max_native_options_depth))).toEqual([]);
  const path = Array<string>(max_native_options_depth).fill('a').join('.');
  expect(faultsOf(nested(max_native_options_depth + 1))).toEqual([`${path} too_deep`]);
});

test('lists count as levels too', () => {
  const lists = (count: number) => `{"a":${'['.repeat(count)}${']'.repeat(count)}}`;
  expect(faultsOf(lists(max_native_options_depth - 1))).toEqual([]);
  expect(faultsOf(lists(max_native_options_depth))).toHaveLength(1);
});

test('very deep options are refused without exhausting the stack', () => {
  expect(faultsOf(nested(5000))).toHaveLength(1);
});
