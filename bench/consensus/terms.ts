// Ways to cut a text into the terms by which it is searched.
import { stem } from './porter-stemmer.ts';

/** Stop words, which do not describe the subject of a text. */
const stopWords = new Set(
  (
    'a about an and any are as at be been being by can could did do does for from had has have ' +
    'how if in into is it its may more most of on or other should some such than that the their ' +
    'them then there these they this those to was were what when where which who whom why will ' +
    'with would'
  ).split(' '),
);
const gramLength = 4;
const maxTermChars = 64;

export type Cutter = (text: string) => string[];

/** Words in lower case, without the commonest ones. */
export const words: Cutter = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => word.slice(0, maxTermChars))
    .filter((word) => !stopWords.has(word));

const stems = new Map<string, string>();

export const stemmedWords: Cutter = (text) =>
  words(text).map((word) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const found = stem(word);
    stems.set(word, found);
    return found;
  });

/** Every run of four characters; a gap between words counts as one space. */
export const characterGrams: Cutter = (text) => {
  const flat = ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
  const grams: string[] = [];
  for (let at = 0; at + gramLength <= flat.length; at += 1) {
    grams.push(flat.slice(at, at + gramLength));
  }
  return grams;
};
