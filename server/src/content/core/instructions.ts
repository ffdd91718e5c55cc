// Finds sentences that give a model instructions: one pass over the words of a text, in which each
// word is looked up by a hash of its letters, so that most words are never copied.
import { languages } from './instruction-words.ts';
import type { Language } from './instruction-words.ts';
import { removeHiddenCharacters } from './hidden-characters.ts';
import { foldWord } from './lookalikes.ts';
import type { Signal } from './signals.ts';

/** The words of a sentence that belong together are at most this far apart. */
const sentenceWords = 9;
const wordsBetween = 3;
const maxWordLength = 40;

/** Words of two sentences belong together only if they are close to their border. */
const borderWords = 4;

/** What a word means for one language (its verb, which or noun) or for one phrase. */
interface Role {
  isPhrase: boolean;
  /** The number of the language or of the phrase. */
  of: number;
  /** The part of the sentence, or the step of the phrase. */
  at: number;
  isLast: boolean;
}

interface Tables {
  rolesByHash: Map<number, Role[]>;
  /** Terms of scripts without spaces, by their first character. */
  termsByStart: Map<number, { term: string; roles: Role[] }[]>;
  phrases: number;
}

let known: Tables | undefined;

/** Made for the first text. */
function tables(): Tables {
  if (known) return known;
  known = { rolesByHash: new Map(), termsByStart: new Map(), phrases: 0 };
  for (const [sentence, language] of languages.entries()) addLanguage(known, sentence, language);
  return known;
}

function addLanguage(to: Tables, sentence: number, language: Language): void {
  const { verbs, which, nouns, phrases } = language;
  for (const [part, words] of [verbs, which, nouns].entries()) {
    for (const word of words.split(' ')) {
      add(to, word, { isPhrase: false, of: sentence, at: part, isLast: false });
    }
  }
  for (const phrase of phrases) {
    const steps = phrase.split(' ');
    for (const [at, words] of steps.entries()) {
      const role = { isPhrase: true, of: to.phrases, at, isLast: at === steps.length - 1 };
      for (const word of words.split('|')) add(to, word, role);
    }
    to.phrases += 1;
  }
}

function add({ rolesByHash, termsByStart }: Tables, word: string, role: Role): void {
  const text = normalize(word);
  const start = text.charCodeAt(0);
  if (!isUnspaced(start)) {
    const hash = hashOf(text);
    rolesByHash.set(hash, [...(rolesByHash.get(hash) ?? []), role]);
    return;
  }
  const terms = termsByStart.get(start) ?? [];
  termsByStart.set(start, terms);
  const same = terms.find(({ term }) => term === text);
  if (same) same.roles.push(role);
  else terms.push({ term: text, roles: [role] });
}

/** Another spelling of the same letters is the same word: wide letters, ligatures, capitals. */
function normalize(text: string): string {
  return beyondAscii.test(text) ? text.normalize('NFKC').toLowerCase() : text;
}

const beyondAscii = /[\u0080-\uFFFF]/;

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = step(hash, word.charCodeAt(at));
  return hash;
}

/** A capital of ASCII counts as its small letter; other capitals are lowered before. */
const step = (hash: number, code: number) =>
  (Math.imul(hash, 31) + (code >= 65 && code <= 90 ? code + 32 : code)) | 0;

/** Han, Kana and their extensions, which are written without spaces. */
function isUnspaced(code: number): boolean {
  return code >= 0x3040 && code <= 0x9fff;
}

const [notWord, border, asciiLetter, otherLetter, unspaced] = [0, 1, 2, 3, 4] as const;

/** The kind of every UTF-16 code unit. */
let kinds: Uint8Array | undefined;

function makeKinds(): Uint8Array {
  return Uint8Array.from({ length: 0x10000 }, (_, code) => kindOf(code));
}

function kindOf(code: number): number {
  if (borders.has(code)) return border;
  if (code < 0x80) {
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return asciiLetter;
    // Digits, and signs that replace letters in altered words.
    return (code >= 48 && code <= 57) || code === 64 || code === 36 ? otherLetter : notWord;
  }
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return notWord;
  if (code >= 0x2000 && code <= 0x2bff) return code === 0x200c ? otherLetter : notWord;
  if (code >= 0x3000 && code <= 0x303f) return notWord;
  if (isUnspaced(code)) return unspaced;
  return code === 0x060c ? notWord : otherLetter;
}

/** The ends of sentences, also in Arabic, Indic and East Asian scripts. */
const borders = new Set(
  [...'.!?;\u061b\u061f\u06d4\u0964\u0965\u3002'].map((one) => one.charCodeAt(0)),
);

/** The first one, and how many there are. */
export function findInstructions(given: string): Signal[] {
  const { rolesByHash, termsByStart, phrases } = tables();
  kinds ??= makeKinds();
  const text = normalize(removeHiddenCharacters(given));
  const lastSeen = new Int32Array(3 * languages.length).fill(-1000);
  const reached = new Int32Array(phrases).fill(-1);
  const reachedAt = new Int32Array(phrases);
  /** Where each part of a sentence, and each phrase, starts in the text. */
  const partStarts = new Int32Array(3 * languages.length);
  const phraseStarts = new Int32Array(phrases);
  let [first, count, quietUntil, word] = [-1, 0, 0, 0];

  const advance = ({ of, at, isLast }: Role, start: number) => {
    if (at === 0) phraseStarts[of] = start;
    else {
      const distance = word - (reachedAt[of] ?? 0);
      if (reached[of] !== at - 1 || distance === 0 || distance > wordsBetween) return -1;
    }
    reached[of] = isLast ? -1 : at;
    reachedAt[of] = word;
    return isLast ? (phraseStarts[of] ?? start) : -1;
  };
  const complete = ({ of, at }: Role, start: number) => {
    lastSeen[3 * of + at] = word;
    partStarts[3 * of + at] = start;
    const verb = lastSeen[3 * of] ?? 0;
    const which = lastSeen[3 * of + 1] ?? 0;
    const noun = lastSeen[3 * of + 2] ?? 0;
    if (word - Math.min(verb, which, noun) > sentenceWords) return -1;
    if (languages[of]?.verbFirst && verb > noun) return -1;
    lastSeen.fill(-1000, 3 * of, 3 * of + 3);
    return Math.min(...partStarts.subarray(3 * of, 3 * of + 3));
  };
  const take = (roles: readonly Role[], at: number) => {
    for (const role of roles) {
      const start = role.isPhrase ? advance(role, at) : complete(role, at);
      if (start < 0) continue;
      if (first < 0) first = start;
      // One sentence may match in several ways.
      if (word >= quietUntil) count += 1;
      quietUntil = word + sentenceWords;
    }
  };

  let [hash, start, letters] = [0, -1, 0];
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 32;
    const kind = kinds[code] ?? notWord;
    if (kind === asciiLetter || kind === otherLetter) {
      if (start < 0) {
        start = at;
        hash = 0;
        letters = 0;
      }
      hash = step(hash, code);
      if (kind === asciiLetter) letters += 1;
      continue;
    }
    if (start >= 0) {
      word += 1;
      const length = at - start;
      const isMixed = letters > 0 && letters < length && length <= maxWordLength;
      const roles =
        rolesByHash.get(hash) ??
        (isMixed
          ? rolesByHash.get(hashOf(foldWord(text.slice(start, at).toLowerCase())))
          : undefined);
      if (roles) take(roles, start);
      start = -1;
    }
    if (kind === border) word += borderWords;
    if (kind !== unspaced) continue;
    word += 1;
    for (const { term, roles } of termsByStart.get(code) ?? []) {
      if (text.startsWith(term, at)) take(roles, at);
    }
  }
  return count === 0 ? [] : [{ id: 'instruction', at: first, count }];
}
