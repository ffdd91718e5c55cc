// Splits text into comparable terms, which ranking and passages share.

/** The words of a text; scripts without spaces are split into overlapping pairs. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const run of text.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    if (spaceless.test(run)) words.push(...pairs(run));
    else words.push(run);
  }
  return words;
}

/** A word in the form that is compared, or null for a stop word. */
export function foldTerm(word: string): string | null {
  const plain = word.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  if (stopWords.has(plain)) return null;
  if (plain.length > 4 && plain.endsWith('ies')) return `${plain.slice(0, -3)}y`;
  if (plain.length > 3 && plain.endsWith('s') && !plain.endsWith('ss')) return plain.slice(0, -1);
  return plain;
}

/** The distinct terms of a text, in order of first appearance. */
export function termsOf(text: string): string[] {
  const terms = new Set<string>();
  for (const word of splitWords(text)) {
    const term = foldTerm(word);
    if (term !== null) terms.add(term);
  }
  return [...terms];
}

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const stopWords = new Set(
  `
  a about after an and are as at be but by can could did do does for from had has have how i if
  in into is it its me most my of on or our should than that the their them there these they
  this those to was we were what when where which who why will with would you your der die das
  den dem des ein eine einer und oder fur mit von zu im auf ist wie le la les un une du de et ou
  pour avec dans sur est el los las una y o para con en es por os um uma e no na da dos com que
  `
    .trim()
    .split(/\s+/),
);

function pairs(run: string): string[] {
  const letters = [...run];
  if (letters.length < 2) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
}
