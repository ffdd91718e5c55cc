// What is cut out of an answer is the very text that stood there.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { sliceAll, sliceItems } from './verbatim.ts';

test('elements keep their spelling: spaces, number forms, escapes and key order', () => {
  const text =
    '{"a":{"x":[1]} , "results" : [ {"b":1.0, "a" : "\\u00e9 \\"]}" } ,{"10":1e2,"2":[]}, 7 ]}';
  expect(sliceItems(text, ['results'])).toEqual([
    '{"b":1.0, "a" : "\\u00e9 \\"]}" }',
    '{"10":1e2,"2":[]}',
    '7',
  ]);
});

test('a path leads through objects, and a place that is no array is one item', () => {
  const text = '{"data":{"web":[{"u":1}],"one":{"v":"\\\\"}}}';
  expect(sliceItems(text, ['data', 'web'])).toEqual(['{"u":1}']);
  expect(sliceItems(text, ['data', 'one'])).toEqual(['{"v":"\\\\"}']);
  expect(sliceItems(text, [])).toEqual([text]);
  expect(sliceItems('[{"a":1},{"b":2}]', [])).toEqual(['{"a":1}', '{"b":2}']);
});

test('a missing place gives nothing', () => {
  expect(sliceItems('{"a":1}', ['results'])).toEqual([]);
  expect(sliceItems('{"a":[]}', ['a'])).toEqual([]);
  expect(sliceItems('', ['a'])).toEqual([]);
  expect(sliceItems('{"a":', ['a'])).toEqual([]);
});

test('several places are one list, and one that is missing or null adds nothing to it', () => {
  const places = [['web'], ['more', 'news'], ['last']];
  const cut = (text: string) => sliceAll({ text, body: JSON.parse(text) as unknown }, places);
  expect(cut('{"last":[3, 4],"web":[1],"more":{"news":[2]}}')).toEqual(['1', '2', '3', '4']);
  expect(cut('{"web":null,"more":null,"last":[{}]}')).toEqual(['{}']);
  expect(cut('{"more":{},"web":[]}')).toEqual([]);
  expect(cut('null')).toEqual([]);
});

test('whatever the elements are, the cuts parse to them again', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.string(), fc.nat(4), (items, key, indent) => {
      const text = JSON.stringify({ before: [key, { results: 1 }], results: items }, null, indent);
      expect(sliceItems(text, ['results']).map((cut) => JSON.parse(cut) as unknown)).toEqual(
        JSON.parse(JSON.stringify(items)) as unknown[],
      );
    }),
  );
});

test('a broken text never makes it run on', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(200), (value, cut) => {
      const text = JSON.stringify({ results: [value, value] }).slice(0, cut);
      expect(sliceItems(text, ['results']).length).toBeLessThanOrEqual(text.length);
    }),
  );
});
