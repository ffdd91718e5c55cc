// The header `traceparent`: what is understood, what is refused, and that writing is reading back.
import { expect, test } from 'bun:test';
import { readTraceparent, writeTraceparent } from './telemetry.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test('a valid header is read, and written the same', () => {
  const header = `00-${traceId}-${spanId}-01`;
  const context = readTraceparent(header);
  expect(context).toEqual({ traceId, spanId, sampled: true });
  expect(context && writeTraceparent(context)).toBe(header);
  expect(readTraceparent(`00-${traceId}-${spanId}-00`)?.sampled).toBe(false);
});

test('a later version with more fields is read as far as it is known', () => {
  expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes`)?.traceId).toBe(traceId);
});

const invalid = [
  null,
  '',
  'nonsense',
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}`,
];
for (const header of invalid) {
  test(`starts a new trace for ${JSON.stringify(header)}`, () => {
    expect(readTraceparent(header)).toBeUndefined();
  });
}
