// The name of a downloaded table.
import { expect, test } from 'bun:test';
import { usageName } from './csv.ts';

test('a table of usage is named after its month or its days', () => {
  expect(usageName({ from: '2026-10-01', to: '2026-10-31' })).toBe('usage-2026-10');
  expect(usageName({ from: '2028-02-01', to: '2028-02-29' })).toBe('usage-2028-02');
  expect(usageName({ from: '2026-10-01', to: '2026-10-30' })).toBe('usage-2026-10-01-2026-10-30');
  expect(usageName({ from: '2026-10-01T00:00:00Z' })).toBe('usage-2026-10-01');
  expect(usageName({})).toBe('usage');
});
