// The depth is counted in the text, before it is parsed.
import { expect, test } from 'bun:test';
import { isTooDeep, maxJsonDepth } from './body.ts';

test('the depth counts open brackets, and ignores those inside strings', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(isTooDeep(nested(maxJsonDepth))).toBe(false);
  expect(isTooDeep(nested(maxJsonDepth + 1))).toBe(true);
  expect(isTooDeep(`[${'[],'.repeat(10_000)}1]`)).toBe(false);
  expect(isTooDeep(JSON.stringify({ query: '[{'.repeat(10_000) }))).toBe(false);
  expect(isTooDeep(JSON.stringify({ query: `"\\${'['.repeat(200)}` }))).toBe(false);
});
