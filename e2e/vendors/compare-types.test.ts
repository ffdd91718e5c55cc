// What a run of `npm test -- --suite vendors` says about types that differ from those of the last run.
import { expect, test } from 'bun:test';
import { compareTypes } from './compare-types.ts';

const before = {
  'POST /search': { query: 'str', max_hours: 'int | None', depth: "'basic' | 'deep'" },
  Result: { url: 'str', score: 'float | None' },
  Depth: { basic: '', deep: '' },
};

test('equal types make no difference', () => {
  expect(compareTypes(before, structuredClone(before))).toEqual([]);
});

test('names what is new, removed, renamed, changed and deprecated', () => {
  const after = {
    'POST /search': { query: 'str | list[str]', max_age_hours: 'int | None', country: 'str' },
    Result: { url: 'str', score: 'float | None (deprecated)' },
    Depth: { basic: '', deep: '', lite: '' },
    Usage: { credits: 'int', total: 'float' },
  };
  expect(compareTypes(before, after)).toEqual([
    'new Depth.lite: ',
    'renamed POST /search.max_hours to max_age_hours, as it seems',
    'new POST /search.country: str',
    'gone POST /search.depth',
    'changed POST /search.query: str is now str | list[str]',
    'deprecated Result.score',
    'new type Usage: credits, total',
  ]);
});

test('a removed type is one difference, and names of every object are not', () => {
  expect(compareTypes(before, { Result: before.Result })).toEqual([
    'type Depth is gone',
    'type POST /search is gone',
  ]);
  const odd = { constructor: { toString: 'str', ['__proto__']: 'str' } };
  expect(compareTypes({}, odd)).toEqual(['new type constructor: toString, __proto__']);
  expect(compareTypes(odd, { constructor: { toString: 'str' } })).toEqual([
    'gone constructor.__proto__',
  ]);
});

test('a field of another type is not a renamed one, and one field is renamed once', () => {
  const old = { T: { max_hours: 'int', max_days: 'int' } };
  expect(compareTypes(old, { T: { max_age_hours: 'str' } })).toEqual([
    'new T.max_age_hours: str',
    'gone T.max_hours',
    'gone T.max_days',
  ]);
  expect(compareTypes(old, { T: { max_span: 'int' } })).toEqual([
    'renamed T.max_hours to max_span, as it seems',
    'gone T.max_days',
  ]);
});
