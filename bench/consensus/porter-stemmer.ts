// Porter's stemmer of 1980, written out: it never changes, and a benchmark needs no package for it.
const consonant = '[^aeiou]';
const vowel = '[aeiouy]';
const consonants = `${consonant}[^aeiouy]*`;
const vowels = `${vowel}[aeiou]*`;

/** At least one, exactly one, and at least two pairs of vowels and consonants. */
const measureAbove0 = new RegExp(`^(${consonants})?${vowels}${consonants}`);
const measureIs1 = new RegExp(`^(${consonants})?${vowels}${consonants}(${vowels})?$`);
const measureAbove1 = new RegExp(`^(${consonants})?${vowels}${consonants}${vowels}${consonants}`);
const hasVowel = new RegExp(`^(${consonants})?${vowel}`);
const shortSyllable = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`);

const doubleSuffixes: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];
const lateSuffixes: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const lastSuffix =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/;

/** The stem of a word in lower case; words of one or two letters stay as they are. */
export function stem(word: string): string {
  if (word.length < 3) return word;
  // A y that begins a word or follows a vowel is a consonant; the capital keeps it apart.
  const marked = word.replace(/^y/, 'Y');
  const steps = [dropPlural, dropPast, turnFinalY, shortenDouble, shortenLate, dropLast, dropE];
  return steps.reduce((current, step) => step(current), marked).toLowerCase();
}

function dropPlural(word: string): string {
  return word.replace(/(ss|i)es$/, '$1').replace(/([^s])s$/, '$1');
}

function dropPast(word: string): string {
  const agreed = /^(.+?)eed$/.exec(word)?.[1];
  if (agreed !== undefined) return measureAbove0.test(agreed) ? word.slice(0, -1) : word;
  const rest = /^(.+?)(?:ed|ing)$/.exec(word)?.[1];
  if (rest === undefined || !hasVowel.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest) || shortSyllable.test(rest)) return `${rest}e`;
  return /([^aeiouylsz])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}

function turnFinalY(word: string): string {
  return word.endsWith('y') && hasVowel.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

function shortenDouble(word: string): string {
  return replaceSuffix(word, doubleSuffixes);
}

function shortenLate(word: string): string {
  return replaceSuffix(word, lateSuffixes);
}

/** Only the longest matching suffix is considered. */
function replaceSuffix(word: string, table: readonly (readonly [string, string])[]): string {
  const fitting = table.filter(([suffix]) => word.endsWith(suffix));
  const longest = fitting.toSorted(([one], [other]) => other.length - one.length)[0];
  if (!longest) return word;
  const rest = word.slice(0, -longest[0].length);
  return measureAbove0.test(rest) ? rest + longest[1] : word;
}

function dropLast(word: string): string {
  const rest = lastSuffix.exec(word)?.[1];
  if (rest !== undefined) return measureAbove1.test(rest) ? rest : word;
  const before = /^(.+?[st])ion$/.exec(word)?.[1];
  return before !== undefined && measureAbove1.test(before) ? before : word;
}

function dropE(word: string): string {
  let result = word;
  if (word.endsWith('e')) {
    const rest = word.slice(0, -1);
    const short = measureIs1.test(rest) && !shortSyllable.test(rest);
    if (measureAbove1.test(rest) || short) result = rest;
  }
  return result.endsWith('ll') && measureAbove1.test(result) ? result.slice(0, -1) : result;
}
