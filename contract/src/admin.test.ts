// Checks names and reasons: their documented length, and that they are never blank.
import { expect, test } from 'bun:test';
import { AccountRequest } from './admin.ts';

const accepts = (name: string) => AccountRequest.safeParse({ name }).success;

test('the documented length of a name includes the spaces around it', () => {
  expect(accepts('a'.repeat(200))).toBe(true);
  expect(accepts(` ${'a'.repeat(200)}`)).toBe(false);
});

test('a blank name is refused, and spaces around a name are trimmed', () => {
  expect(accepts('   ')).toBe(false);
  expect(AccountRequest.parse({ name: '  Ada  ' })).toEqual({ name: 'Ada' });
});
