// The header `traceparent`: what is understood, what is refused, and that writing is reading back.
import { expect, test } from 'bun:test';
import { readTraceparent, writeTraceparent } from './trace-context.ts';

const trace_id = '0af7651916cd43dd8448eb211c80319c';
const span_id = 'b7ad6b7169203331';

test('a valid header is read, and written the same', () => {
  const header = `00-${trace_id}-${span_id}-01`;
  const context = readTraceparent(header);
  expect(context).toEqual({ trace_id, span_id, sampled: true });
  expect(context && writeTraceparent(context)).toBe(header);
  expect(readTraceparent(`00-${trace_id}-${span_id}-00`)?.sampled).toBe(false);
});

test('a later version with more fields is read as far as it is known', () => {
  expect(readTraceparent(`cc-${trace_id}-${span_id}-01-what-comes`)?.trace_id).toBe(trace_id);
});

const invalid = [
  null,
  '',
  'nonsense',
  `ff-${trace_id}-${span_id}-01`,
  `00-${'0'.repeat(32)}-${span_id}-01`,
  `00-${trace_id}-${'0'.repeat(16)}-01`,
  `00-${trace_id.toUpperCase()}-${span_id}-01`,
  `00-${trace_id}-${span_id}`,
];
for (const header of invalid) {
  test(`starts a new trace for ${JSON.stringify(header)}`, () => {
    expect(readTraceparent(header)).toBeUndefined();
  });
}
