// Depth is judged from the text, without walking the value.
import { expect, test } from 'bun:test';
import { isTooDeep, maxJsonDepth } from './json-depth.ts';

test('depth counts what is open at once, and nothing inside a text', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(isTooDeep(nested(maxJsonDepth))).toBe(false);
  expect(isTooDeep(nested(maxJsonDepth + 1))).toBe(true);
  expect(isTooDeep(`[${'[],'.repeat(10_000)}1]`)).toBe(false);
  expect(isTooDeep(JSON.stringify({ query: '[{'.repeat(10_000) }))).toBe(false);
  expect(isTooDeep(JSON.stringify({ query: `"\\${'['.repeat(200)}` }))).toBe(false);
});
