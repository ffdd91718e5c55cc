// Canonical JSON: equal values have one text.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { canonicalJson } from './idempotency-claims.ts';

test('a value has one text, whatever the order of its keys and its white space', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const respelt: unknown = JSON.parse(JSON.stringify(reversed(value), null, 3));
      expect(canonicalJson(respelt)).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('different values have different texts', () => {
  expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }));
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  expect(canonicalJson(JSON.parse('{"__proto__":1}'))).not.toBe(canonicalJson({}));
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, reversed(part)] as const);
  return Object.fromEntries(entries.toReversed());
}
