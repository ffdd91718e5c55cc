// For any JSON as a native option and for any answer of a vendor, a price is a whole number of 0 or
// more, and an unreadable option is never cheaper than no option.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError, type TranscriberId } from '@trivium/contract';
import { providers } from '../src/providers/registry.ts';
import { costOf, hourOf, type Options } from './price-of.ts';

const products = Object.values(providers).flatMap(({ id, search, extract }) => [
  ...(search ? [{ id, product: 'search' as const, reads: search.price.reads }] : []),
  ...(extract ? [{ id, product: 'extract' as const, reads: extract.price.reads }] : []),
]);
const priced = products.filter(({ reads }) => reads.length > 0);
const transcribers = Object.values(providers).flatMap(({ id, transcribe }) =>
  transcribe ? [{ id: id as TranscriberId, product: transcribe }] : [],
);

const runs = { numRuns: 100 };

/** No vendor documents any of these, for any option. */
const unreadable: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('constructor', '__proto__', 'toString', 'diarize', 'credit', 'page', 'summary'),
  fc.constantFrom(-1, -0, 0.5, 10.000_01, 1e15, 1e308, Number.MAX_SAFE_INTEGER + 2),
  fc.integer({ max: -1 }),
  fc.integer({ min: 1_000_001 }),
  fc.double({ noInteger: true }),
  fc.string({ minLength: 30 }),
  fc.array(fc.jsonValue(), { minLength: 5, maxLength: 9 }),
);
/** Any JSON, often an object that cannot be converted to a text or to a number. */
const anyJson = fc.oneof(
  fc.jsonValue(),
  fc
    .constantFrom('{"toString":false}', '[{"toString":null}]', '{"toString":1,"valueOf":2}')
    .map((text): unknown => JSON.parse(text)),
);
const optionsAt = (reads: readonly string[], values: fc.Arbitrary<unknown>) =>
  fc.dictionary(fc.constantFrom(...reads), values, { minKeys: 1, maxKeys: reads.length });

test('every product that is sold has a rule, and most rules read options', () => {
  expect(products.length).toBe(20);
  expect(priced.map(({ id, product }) => `${id} ${product}`)).not.toContain('engine_d search');
  expect(priced.length).toBe(17);
});

test.each(priced)('$id $product: any JSON at its options has a price, and is not free', (one) => {
  fc.assert(
    fc.property(optionsAt(one.reads, anyJson), (options) => {
      const { table } = costOf({ ...one, options });
      expectAmount(table, options);
      if (table === 0) throw new Error(`free of charge: ${JSON.stringify(options)}`);
    }),
    runs,
  );
});

test.each(priced)('$id $product: an unreadable option costs no less than no option', (one) => {
  const usual = costOf(one).table;
  fc.assert(
    fc.property(fc.constantFrom(...one.reads), unreadable, (path, value) => {
      const options = { [path]: value };
      const { table } = costOf({ ...one, options });
      expectAmount(table, options);
      if (table < usual) throw new Error(`${table} < ${usual} for ${JSON.stringify(options)}`);
    }),
    runs,
  );
});

test.each(products)('$id $product: no answer is priced above its hold, and none throws', (one) => {
  const reads = one.reads.length > 0 ? one.reads : ['any'];
  const most = one.product === 'search' ? 1000 : 1;
  fc.assert(
    fc.property(
      optionsAt(reads, anyJson),
      answers,
      fc.nat({ max: most }),
      (options, body, delivered) => {
        const held = costOf({ ...one, options }).table;
        const answer = { bodies: [body], delivered };
        const { table, reported } = costOf({ ...one, options, answer });
        expectAmount(table, { options, body });
        if (table > held) throw new Error(`${table} > ${held} for ${JSON.stringify(options)}`);
        expect(['number', 'undefined']).toContain(typeof reported);
      },
    ),
    runs,
  );
});

test.each(transcribers)('$id: any model has the price of a known model', ({ id, product }) => {
  const { option } = product.model;
  const models = Object.entries(product.price.rates)
    .filter(([name]) => !product.price.surcharges.includes(name))
    .map(([, rate]) => rate);
  const names = fc.oneof(
    fc.string(),
    fc.constantFrom('diarize', 'keyterms', 'diarize-x', 'keyterms_x', 'constructor', '__proto__'),
    anyJson,
  );
  fc.assert(
    fc.property(names, (model) => {
      try {
        expect(models).toContain(hourOf(id, { [option]: model }));
      } catch (error) {
        // Refused before it has a price, because no vendor would run it.
        if (!(error instanceof GatewayError) || error.type !== 'invalid_request') throw error;
      }
    }),
    runs,
  );
});

test.each(transcribers)(
  '$id: no option lowers the price, or raises it above twice all rates',
  (one) => {
    const { id, product } = one;
    const { option } = product.model;
    const names = [
      ...product.price.reads.filter((name) => name !== option),
      'unheard_of',
      'toString',
    ];
    const usual = hourOf(id, {});
    const most = Object.entries(product.price.rates).reduce((sum, [, rate]) => sum + rate, 0);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), anyJson), (options) => {
        const price = hourOf(id, options);
        expectAmount(price, { options });
        const isNamed = 'speech_models' in options || 'speech_model' in options;
        if (!isNamed && price < usual) throw new Error(`${price} for ${JSON.stringify(options)}`);
        expect(price).toBeLessThanOrEqual(2 * most);
      }),
      runs,
    );
  },
);

/** Any JSON, often where vendors put the figures that they count. */
const answers: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      results: fc.oneof(
        fc.jsonValue(),
        fc.array(fc.record({ subpages: fc.jsonValue(), raw_content: fc.string() })),
        fc.record({ web: fc.array(fc.jsonValue()), news: fc.jsonValue() }),
      ),
      data: fc.oneof(
        fc.record({ web: fc.array(fc.jsonValue()), news: fc.jsonValue() }),
        fc.record({ metadata: fc.record({ creditsUsed: fc.jsonValue() }) }),
      ),
      costDollars: fc.oneof(fc.jsonValue(), fc.record({ total: fc.jsonValue() })),
      usage: fc.oneof(
        fc.jsonValue(),
        fc.record({ credits: fc.jsonValue() }),
        fc.array(
          fc.record({
            name: fc.constantFrom('sku_search', 'sku_extract_excerpts'),
            count: fc.jsonValue(),
          }),
        ),
      ),
      credits: fc.jsonValue(),
      creditsUsed: fc.jsonValue(),
      total_deduction_dollars: fc.jsonValue(),
      total_cost_dollars: fc.jsonValue(),
      meta: fc.oneof(fc.jsonValue(), fc.record({ usage: fc.record({ tokens: fc.jsonValue() }) })),
    },
    { requiredKeys: [] },
  ),
);

function expectAmount(amount: number, made: Options): void {
  if (Number.isSafeInteger(amount) && amount >= 0) return;
  throw new Error(`${amount} is no amount, for ${JSON.stringify(made)}`);
}
