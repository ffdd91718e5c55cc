// Titles and snippets come out as plain text.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { filled, passages, plain } from './text.ts';

describe('plain', () => {
  const cases: [unknown, string | undefined][] = [
    ['Rain &amp; shine', 'Rain & shine'],
    ['It&#39;s &quot;fine&quot; &#x2014; really', 'It\'s "fine" — really'],
    ['a <strong>bold</strong> <em class="x">claim</em>', 'a bold claim'],
    ['1 < 2 and <video> stays', '1 < 2 and <video> stays'],
    ['&unknown; &#0; &#xD800;', '&unknown; &#0; &#xD800;'],
    ['&amp;lt;', '&lt;'],
    ['  ', undefined],
    ['<b></b>', undefined],
    [null, undefined],
    [7, undefined],
  ];
  for (const [given, wanted] of cases) {
    test(`makes ${JSON.stringify(wanted)} of ${JSON.stringify(given)}`, () => {
      expect(plain(given)).toBe(wanted as string);
    });
  }
});

test('a text is kept as it is, unless it is empty', () => {
  expect(filled(' a ')).toBe(' a ');
  expect(filled(' \n')).toBeUndefined();
});

test('passages end at blank lines, and a heading stays with what follows it', () => {
  expect(passages('## Intervals\n\nNine months.\n\n\nOil.\n \n# End')).toEqual([
    '## Intervals\nNine months.',
    'Oil.',
    '# End',
  ]);
});

test('whatever the text, passages are what stands between its blank lines', () => {
  const sign = fc.constantFrom('a', 'b', ' ', '\n', '\n', '\r', '\t', '\u00a0', '\u2028');
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 40 }), (text) => {
      const parts = text.split(/\n\s*\n/).map((part) => part.trim());
      expect(passages(text)).toEqual(parts.filter((part) => part !== ''));
    }),
  );
});
