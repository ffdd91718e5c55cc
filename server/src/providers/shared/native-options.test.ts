// A caller's native options are merged the same way for every provider.
import { expect, test } from 'bun:test';
import { mergeBody, mergeQuery } from './native-options.ts';

test('objects are merged deeply, all else is replaced, and null is sent as null', () => {
  const body = { contents: { highlights: true, text: true }, sources: ['web'], n: 1 };
  expect(
    mergeBody(body, { contents: { text: { max: 5 } }, sources: ['news'], n: null, x: 1 }),
  ).toEqual({
    contents: { highlights: true, text: { max: 5 } },
    sources: ['news'],
    n: null,
    x: 1,
  });
  expect(body.contents.text).toBe(true);
});

test('in a query string null removes the parameter, and a list stays one', () => {
  const options = { count: null, extra: true, list: ['a', { b: 1 }], thing: { c: 2 } };
  expect(mergeQuery({ q: 'a', count: 10 }, options)).toEqual({
    q: 'a',
    count: undefined,
    extra: true,
    list: ['a', '{"b":1}'],
    thing: '{"c":2}',
  });
});
