// Checks that native options pass unchanged, except keys that could pollute a prototype.
import { expect, test } from 'bun:test';
import { issuesOf } from './issues.ts';
import { maxNativeOptionsDepth, NativeOptions } from './native-options.ts';

function faultsOf(json: string): string[] {
  const parsed = NativeOptions.safeParse(JSON.parse(json));
  return parsed.success ? [] : issuesOf(parsed.error).map((issue) => `${issue.path} ${issue.code}`);
}

function nested(levels: number, open = '{"a":', close = '}'): string {
  return open.repeat(levels - 1) + '{}' + close.repeat(levels - 1);
}

test('any JSON object passes as the same object', () => {
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
  expect(faultsOf(nested(maxNativeOptionsDepth))).toEqual([]);
  const path = Array<string>(maxNativeOptionsDepth).fill('a').join('.');
  expect(faultsOf(nested(maxNativeOptionsDepth + 1))).toEqual([`${path} too_deep`]);
});

test('a list counts as a level', () => {
  const lists = (count: number) => `{"a":${'['.repeat(count)}${']'.repeat(count)}}`;
  expect(faultsOf(lists(maxNativeOptionsDepth - 1))).toEqual([]);
  expect(faultsOf(lists(maxNativeOptionsDepth))).toHaveLength(1);
});

test('very deep options are refused without exhausting the stack', () => {
  expect(faultsOf(nested(5000))).toHaveLength(1);
});
