// What a result of a fusion says about its rank.
import { expect, test } from 'bun:test';
import { evidenceWords } from './fusion-matrix.tsx';

const explanation = JSON.stringify({
  results: [
    { id: 'one', ranks: { engine_a: 1, engine_b: 4, engine_c: 2 }, evidence: 2.25, why: '' },
    { id: 'two', ranks: { engine_a: 2 }, evidence: 0.75, why: '' },
  ],
  left_out: [{ engine: 'engine_d', rank: 9, url: 'https://a.example', reason: 'alone' }],
});

test('a page says how many engines found it, and its evidence', () => {
  expect(evidenceWords(explanation, 'one')).toBe('found by 3 of 4 engines · evidence 2.25');
  expect(evidenceWords(explanation, 'two')).toBe('found by 1 of 4 engines · evidence 0.75');
});

test('without an explanation there is no text', () => {
  expect(evidenceWords(null, 'one')).toBeUndefined();
  expect(evidenceWords('not JSON', 'one')).toBeUndefined();
  expect(evidenceWords(explanation, 'other')).toBeUndefined();
});
