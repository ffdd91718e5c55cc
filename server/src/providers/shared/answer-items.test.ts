// The text cut out of an answer is byte for byte what was received.
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { sliceItems } from './answer-items.ts';

const cut = (text: string, path: string[], body: unknown = JSON.parse(text)) =>
  sliceItems({ text, body }, [path]);

test('elements keep their spelling: spaces, number forms, escapes and key order', () => {
  const text =
    '{"a":{"x":[1]} , "results" : [ {"b":1.0, "a" : "\\u00e9 \\"]}" } ,{"10":1e2,"2":[]}, 7 ]}';
  expect(cut(text, ['results'])).toEqual([
    '{"b":1.0, "a" : "\\u00e9 \\"]}" }',
    '{"10":1e2,"2":[]}',
    '7',
  ]);
});

test('a path leads through objects, and a place that is no array is one item', () => {
  const text = '{"data":{"web":[{"u":1}],"one":{"v":"\\\\"}}}';
  expect(cut(text, ['data', 'web'])).toEqual(['{"u":1}']);
  expect(cut(text, ['data', 'one'])).toEqual(['{"v":"\\\\"}']);
  expect(cut(text, [])).toEqual([text]);
  expect(cut('[{"a":1},{"b":2}]', [])).toEqual(['{"a":1}', '{"b":2}']);
});

test('a missing place gives nothing', () => {
  expect(cut('{"a":1}', ['results'])).toEqual([]);
  expect(cut('{"a":[]}', ['a'])).toEqual([]);
  expect(cut('', ['a'], { a: 1 })).toEqual([]);
  expect(cut('{"a":', ['a'], { a: 1 })).toEqual([]);
});

test('several places are one list, and one that is missing or null adds nothing to it', () => {
  const places = [['web'], ['more', 'news'], ['last']];
  const all = (text: string) => sliceItems({ text, body: JSON.parse(text) as unknown }, places);
  expect(all('{"last":[3, 4],"web":[1],"more":{"news":[2]}}')).toEqual(['1', '2', '3', '4']);
  expect(all('{"web":null,"more":null,"last":[{}]}')).toEqual(['{}']);
  expect(all('{"more":{},"web":[]}')).toEqual([]);
  expect(all('null')).toEqual([]);
});

test('sections are the same list whatever stands between, before and behind them', () => {
  const sections = fc.shuffledSubarray(['web', 'news', 'rest', 'more']);
  fc.assert(
    fc.property(sections, fc.array(fc.jsonValue()), fc.nat(4), (names, items, indent) => {
      const inner = Object.fromEntries(names.map((name) => [name, [name, ...items]]));
      const text = JSON.stringify({ web: inner, news: items }, null, indent);
      const places = [['web', 'web'], ['web', 'news'], ['news'], ['rest', 'web']];
      expect(sliceItems({ text, body: JSON.parse(text) as unknown }, places)).toEqual(
        places.flatMap((path) => cut(text, path)),
      );
    }),
  );
});

test('whatever the elements are, the cuts parse to them again', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.string(), fc.nat(4), (items, key, indent) => {
      const text = JSON.stringify({ before: [key, { results: 1 }], results: items }, null, indent);
      expect(cut(text, ['results']).map((item) => JSON.parse(item) as unknown)).toEqual(
        JSON.parse(JSON.stringify(items)) as unknown[],
      );
    }),
  );
});

test('a broken text never makes it run on', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(200), (value, length) => {
      const body = { results: [value, value] };
      const text = JSON.stringify(body).slice(0, length);
      expect(cut(text, ['results'], body).length).toBeLessThanOrEqual(text.length);
    }),
  );
});
