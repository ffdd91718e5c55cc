// Every regular expression of the project, with long hostile texts: its work must not grow faster
// than the text.
import { expect, test } from 'bun:test';
import { projectExpressions } from './expressions.ts';
import { growthOf, maxGrowth } from './measure.ts';
import { hostileTexts } from './pumps.ts';

const longEnough = 2000;

/** The worst growth over all texts; zero if none takes measurable work. */
function worstGrowth({ source, flags }: { source: string; flags: string }) {
  const expression = new RegExp(source, flags);
  let worst = 0;
  for (const textOf of hostileTexts(source)) {
    const texts = new Map<number, string>();
    const work = (length: number) =>
      texts.getOrInsertComputed(length, textOf).replace(expression, '');
    worst = Math.max(worst, growthOf(work, longEnough)?.ratio ?? 0);
    if (worst > maxGrowth) return worst;
  }
  return worst;
}

const found = projectExpressions(['contract/src', 'server/src', 'sdk/src', 'cli/src']);
/** Each once. Without an unbounded repetition, the work at each place of a text is bounded. */
const measured = new Map(
  found
    .filter(({ source }) => /[*+]|\{\d*,\}/.test(source))
    .map((expression) => [`/${expression.source}/${expression.flags}`, expression]),
);

test('expressions are found in the source', () => {
  expect(found.length).toBeGreaterThan(100);
  expect(measured.size).toBeGreaterThan(50);
});

test.each([
  { source: String.raw`\/+$`, flags: '' },
  { source: String.raw`\.?0+$`, flags: '' },
  { source: String.raw`^([a-z]+):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$`, flags: 'i' },
])('a slow expression is detected: $source', (slow) => {
  expect(worstGrowth(slow)).toBeGreaterThan(maxGrowth);
});

test('the work of no expression grows faster than its text', () => {
  const slow = [...measured.values()].filter((one) => worstGrowth(one) > maxGrowth);
  expect(slow).toEqual([]);
});
