// Checks names and reasons, which are never blank, and the time range of a list.
import { expect, test } from 'bun:test';
import { AccountRequest } from './admin.ts';
import { RequestQuery } from './request-log.ts';
import { UsageQuery } from './usage.ts';

const accepts = (name: string) => AccountRequest.safeParse({ name }).success;

test('the documented length of a name includes the spaces around it', () => {
  expect(accepts('a'.repeat(200))).toBe(true);
  expect(accepts(` ${'a'.repeat(200)}`)).toBe(false);
});

test('a blank name is refused, and spaces around a name are trimmed', () => {
  expect(accepts('   ')).toBe(false);
  expect(AccountRequest.parse({ name: '  Ada  ' })).toEqual({ name: 'Ada' });
});

test.each(['2026-11-15', '2026-11-15T12:00:00Z', '2026-11-15T12:00:00.000+13:00'])(
  'a list may begin and end at %s',
  (at) => expect(RequestQuery.safeParse({ from: at, to: at }).success).toBe(true),
);

test.each([
  '2026-02-30',
  '2026-02-30T12:00:00Z',
  '2026-11-15T12:00',
  'today',
  '',
  '1',
  '2026-11-15 ',
])('a list may not begin at "%s"', (at) =>
  expect(RequestQuery.safeParse({ from: at }).success).toBe(false),
);

test('the range of usage is not empty, and only a range with a beginning is compared', () => {
  const accepts = (query: object) => UsageQuery.safeParse(query).success;
  expect(accepts({ from: '2026-11-15T12:00:00Z', to: '2026-11-15' })).toBe(true);
  expect(accepts({ from: '2026-11-15', to: '2026-11-14' })).toBe(false);
  expect(accepts({ from: '2026-11-15', compare: 'previous', interval: 'day' })).toBe(true);
  expect(accepts({ compare: 'previous' })).toBe(false);
  expect(accepts({ interval: 'hour' })).toBe(false);
});
