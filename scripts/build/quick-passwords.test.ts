// The executable of the tests hashes passwords quickly, and another cost in the library is noticed.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashQuickly } from './quick-passwords.ts';

test('the cost of a hash is lowered, and nothing else is changed', () => {
  const library = fileURLToPath(import.meta.resolve('@better-auth/utils/password'));
  const text = readFileSync(library, 'utf8');
  const quick = hashQuickly(text);
  expect(quick.split('\n').filter((line) => !text.includes(line))).toEqual(['  N: 16,']);
});

test('a library with another cost is refused', () => {
  expect(() => hashQuickly('const config = { N: 32768, r: 8 }')).toThrow('no longer hashes');
});
