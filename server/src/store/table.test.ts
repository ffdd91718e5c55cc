// Statements over many ids: their texts are kept, one for each length and number of first values.
import { expect, test } from 'bun:test';
import { idStatement } from './table.ts';

test('the places of ids follow those of the first values, whatever was built before', () => {
  const statement = idStatement((places) => places);
  for (let again = 0; again < 2; again += 1) {
    expect(statement(['a', 'b'])).toEqual(['$1, $2', ['a', 'b']]);
    expect(statement(['a', 'b'], 'first')).toEqual(['$2, $3', ['first', 'a', 'b']]);
    expect(statement(['a', 'b', 'c'], 'first')).toEqual([
      '$2, $3, $4, $5',
      ['first', 'a', 'b', 'c', 'c'],
    ]);
  }
});
