// Values of native options with which a caller may try to pay less: any JSON, and values that are
// often priced wrongly.
import fc from 'fast-check';

/** No vendor documents these values, so a price rule must charge the highest price. */
export const unreadable: readonly unknown[] = [
  -1,
  -1_000_000,
  1e308,
  -1e308,
  1e15,
  9_007_199_254_740_993,
  10.000_01,
  'constructor',
  '__proto__',
  'toString',
  'x'.repeat(100_000),
  Array.from({ length: 10_000 }, (_, at) => at),
];

/** A vendor may document these values for some option. */
export const odd: readonly unknown[] = [
  0,
  1,
  true,
  false,
  null,
  '',
  '0',
  '-1',
  '1e9',
  ' 1',
  {},
  [],
  [null],
  [[[[1]]]],
  { type: 'constructor' },
  { a: { b: { c: -1 } } },
  nest(31),
  nest(99),
  '\ud800',
  '\u0000',
];

export function makeValues(seed: number, count: number): readonly unknown[] {
  const generated = fc.sample(fc.jsonValue({ maxDepth: 3 }), { numRuns: count, seed });
  return [...unreadable, ...odd, ...generated];
}

function nest(depth: number): unknown {
  let value: unknown = -1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
