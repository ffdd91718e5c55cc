// What the compiler demands of a price rule, and that a rule sees its options as they are sent.
import { expect, test } from 'bun:test';
import { extractPrice, searchPrice } from '../src/providers/shared/price-rule.ts';
import type { ExtractProduct, SearchProduct } from '../src/providers/provider.ts';
import { speechPrice } from '../src/providers/shared/speech-price.ts';
import type { TranscribeProduct } from '../src/providers/shared/transcribe-product.ts';

const call = { bodies: [], delivered: 10, keyless: false, rates: {} };
const wire = { method: 'POST', path: '/' } as const;

/** True for a product that does not compile without its price. */
type NeedsPrice<Product extends { price: unknown }> =
  object extends Pick<Product, 'price'> ? never : true;

test('the compiler demands a price for every product, whose rule reads only the names it lists', () => {
  const needed: [NeedsPrice<SearchProduct>, NeedsPrice<ExtractProduct>] = [true, true];
  const speech: NeedsPrice<TranscribeProduct> = true;
  expect([...needed, speech]).toEqual([true, true, true]);
  const rule = searchPrice({
    rates: { page: 5, summary: 7 },
    reads: ['count'],
    each: ({ rates }, read) => {
      // Neither would compile if another name were allowed.
      const names: ('page' | 'summary')[] = Object.keys(rates) as (keyof typeof rates)[];
      const options: 'count'[] = [] as Parameters<typeof read>[0][];
      return names.length + options.length;
    },
  });
  expect(rule.cost({ ...call, sent: [{ ...wire, body: {} }] }).table).toBe(2);
});

test('a rule reads the body, or else the query, and own properties only', () => {
  const seen: unknown[] = [];
  const rule = extractPrice({
    rates: { page: 5 },
    reads: ['count', 'a.b', 'toString', 'a.constructor'],
    each: (_call, read) => {
      seen.push(read('count'), read('a.b'), read('toString'), read('a.constructor'));
      return 0;
    },
  });
  const ask = { 'content.full_text': true };
  rule.cost({ ...call, ask, sent: [{ ...wire, body: { count: 1, a: { b: null } } }] });
  expect(seen.splice(0)).toEqual([1, undefined, undefined, undefined]);
  rule.cost({ ...call, ask, sent: [{ ...wire, query: { count: '7' } }] });
  expect(seen.splice(0)).toEqual(['7', undefined, undefined, undefined]);
  rule.cost({ ...call, ask, sent: [{ ...wire, body: { a: 'text' } }] });
  expect(seen.map(String)).toEqual([
    'undefined',
    'Symbol(unreadable)',
    'undefined',
    'Symbol(unreadable)',
  ]);
});

test('an add-on is not a model, and current rates override the listed ones', () => {
  const price = speechPrice({
    models: { small: 10, large: 30 },
    addOns: { diarize: [0, 'speakers'] },
    unlisted: 5,
    reads: ['model'],
    free: 'tag',
    cost: ({ read, rateOf, added }) => ({
      seconds: 3600,
      rate: rateOf(String(read('model'))) + added(),
    }),
  });
  const rate = (model: string, rates = {}, options = {}) =>
    price.cost({ sent: { model, speakers: true, tag: 'x', ...options }, seconds: 1, rates });
  expect(rate('small-2')).toBe(10);
  expect(rate('diarize')).toBe(30);
  expect(rate('smaller')).toBe(30);
  expect(rate('diarize', { small: 90, diarize: 1 })).toBe(91);
  expect(rate('small', {}, { other: false, another: null, third: [] })).toBe(10);
  expect(rate('small', {}, { other: 1, another: 'x' })).toBe(15);
  expect(rate('small', { 'unlisted option': 7 }, { toString: {} })).toBe(17);
});
