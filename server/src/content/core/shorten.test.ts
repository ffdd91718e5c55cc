// Pieces are the whole text, short, and cut where no token is changed; a run of any kind is encoded
// in a time that grows with its length.
import fc from 'fast-check';
import { expect, test } from 'bun:test';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { encodedPieces } from './shorten.ts';

const tokensIn = (text: string) => encode(text, { disallowedSpecial: new Set() }).length;
const tokensInPieces = (text: string) =>
  [...encodedPieces(text)].reduce((sum, one) => sum + tokensIn(one), 0);

test('pieces are short, and together the text', () => {
  const unit = fc.constantFrom('a', ' ', '\n', '😀', 'word ', '漢', '\t', 'x'.repeat(300));
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 400 }), (units) => {
      const text = units.join('');
      const pieces = [...encodedPieces(text)];
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(1000);
        expect(piece.isWellFormed()).toBe(true);
      }
    }),
  );
});

test('ordinary text has as many tokens in pieces as in one', () => {
  const text =
    'The sun is a star, and 1,234 cells turn its light into a current!\n\n## Heading\n- item one\n'.repeat(
      200,
    );
  expect([...encodedPieces(text)].length).toBeGreaterThan(10);
  expect(tokensInPieces(text)).toBe(tokensIn(text));
});

test.each(['a', '\n', ' ', '!?', '漢', '😀', 'é\u0301', '0'])(
  'a run of %j is cut, and its tokens are not fewer',
  (unit) => {
    const run = unit.repeat(2000);
    expect(Math.max(...[...encodedPieces(run)].map(({ length }) => length))).toBeLessThanOrEqual(
      200,
    );
    expect(tokensInPieces(run)).toBeGreaterThanOrEqual(tokensIn(run));
  },
);
