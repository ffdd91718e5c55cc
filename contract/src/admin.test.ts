// What an operator may write: names and reasons as long as the document says, and never empty.
import { expect, test } from 'bun:test';
import { AccountRequest } from './admin.ts';

const accepts = (name: string) => AccountRequest.safeParse({ name }).success;

test('a name is as long as the document says, with the blanks around it', () => {
  expect(accepts('a'.repeat(200))).toBe(true);
  expect(accepts(` ${'a'.repeat(200)}`)).toBe(false);
});

test('a name of blanks is none, and blanks around one are not kept', () => {
  expect(accepts('   ')).toBe(false);
  expect(AccountRequest.parse({ name: '  Ada  ' })).toEqual({ name: 'Ada' });
});
