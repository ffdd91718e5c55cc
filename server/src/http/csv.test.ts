// When a caller gets a report as a table, and the name of a downloaded one.
import { expect, test } from 'bun:test';
import { prefersCsv, usageName } from './csv.ts';

test('a table of usage is named after its month or its days', () => {
  expect(usageName({ from: '2026-10-01', to: '2026-10-31' })).toBe('usage-2026-10');
  expect(usageName({ from: '2028-02-01', to: '2028-02-29' })).toBe('usage-2028-02');
  expect(usageName({ from: '2026-10-01', to: '2026-10-30' })).toBe('usage-2026-10-01-2026-10-30');
  expect(usageName({ from: '2026-10-01T00:00:00Z' })).toBe('usage-2026-10-01');
  expect(usageName({})).toBe('usage');
});

test.each([
  ['text/csv', true],
  ['Text/CSV; charset=utf-8', true],
  ['text/csv, application/json', true],
  ['text/csv, application/json;q=0.5', true],
  ['application/json;q=0.5, text/csv', true],
  ['application/json, text/csv;q=0.5', false],
  ['application/json', false],
  ['text/csv;q=0', false],
  ['text/html', false],
  ['a/b;;=,,', false],
  ['*/*', false],
  ['', false],
])('a report is a table with %p, unless the address names a format', (accept, isPreferred) => {
  const request = new Request('http://gateway.test', { headers: { accept } });
  expect(prefersCsv(request)).toBe(isPreferred);
  expect([prefersCsv(request, 'csv'), prefersCsv(request, 'json')]).toEqual([true, false]);
});
