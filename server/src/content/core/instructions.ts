// Finds sentences that give a model instructions, in one pass over the words of a text. Each word
// is looked up by a hash of its letters, so that most words are never copied.
import {
  type Language,
  cueGroups,
  cueThreshold,
  cueThresholdUnaddressed,
  cueWeights,
  cueWindow,
  cues,
  languages,
} from './instruction-words.ts';
import { foldWord } from './lookalikes.ts';
import { readable } from './readable.ts';
import type { Signal } from './signals.ts';

/** The words of a sentence that belong together are at most this far apart. */
const sentenceWords = 9;
const wordsBetween = 3;
const maxWordLength = 40;

/** Words of two sentences belong together only if they are close to the boundary. */
const borderWords = 4;

/** The meaning of a word for one language (verb, qualifier or noun) or for one phrase. */
interface Role {
  isPhrase: boolean;
  /** The index of the language or of the phrase. */
  of: number;
  /** The part of the sentence, or the step of the phrase. */
  at: number;
  isLast: boolean;
}

/** A cue of one word, or the first or second word of a cue. */
interface CueRole {
  cue: number;
  place: 'whole' | 'first' | 'second';
}

interface Tables {
  rolesByHash: Map<number, Role[]>;
  cuesByHash: Map<number, CueRole[]>;
  /** Whether a word with these last bits of its hash may be in a table. Most words are in none. */
  isKnown: Uint8Array;
  /** The group of each cue. */
  cueGroups: number[];
  /** Terms of scripts without spaces, by their first character. */
  termsByStart: Map<number, { term: string; roles: Role[] }[]>;
  phrases: number;
}

const hashEnds = 0xffff;
const [inRoles, inCues] = [1, 2];

let known: Tables | undefined;

/** Built for the first text. */
function openTables(): Tables {
  if (known) return known;
  known = {
    ...{ rolesByHash: new Map(), termsByStart: new Map(), phrases: 0 },
    ...{ cuesByHash: new Map(), cueGroups: [], isKnown: new Uint8Array(hashEnds + 1) },
  };
  for (const [group, name] of cueGroups.entries()) addCues(known, group, cues[name]);
  for (const [sentence, language] of languages.entries()) addLanguage(known, sentence, language);
  for (const hash of known.rolesByHash.keys()) known.isKnown[hash & hashEnds] = inRoles;
  for (const hash of known.cuesByHash.keys()) {
    known.isKnown[hash & hashEnds] = (known.isKnown[hash & hashEnds] ?? 0) | inCues;
  }
  return known;
}

function addLanguage(to: Tables, sentence: number, language: Language): void {
  const { verbs, which, nouns, phrases } = language;
  for (const [part, words] of [verbs, which, nouns].entries()) {
    for (const word of words.split(' ')) {
      const role = { isPhrase: false, of: sentence, at: part, isLast: false };
      const isMisspelt = sentence === 0 && misspelt.includes(word);
      for (const one of isMisspelt ? new Set(misspellingsOf(word)) : [word]) add(to, one, role);
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

/** Letters left out, added or swapped in the essential words of such sentences. */
const misspelt = ['instructions', 'instruction', 'previous'];

function* misspellingsOf(word: string): Generator<string> {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    yield before + after.slice(1);
    if (after.length > 1) yield `${before}${after[1]}${after[0]}${after.slice(2)}`;
    for (const letter of letters) yield before + letter + after;
  }
}

function addCues(
  { cuesByHash, cueGroups: groups }: Tables,
  group: number,
  phrases: readonly string[],
) {
  for (const phrase of phrases) {
    const [first = '', second] = phrase.split(' ');
    const cue = groups.push(group) - 1;
    const addAll = (words: string, place: CueRole['place']) => {
      for (const word of words.split('|')) {
        const hash = hashOf(word);
        cuesByHash.set(hash, [...(cuesByHash.get(hash) ?? []), { cue, place }]);
      }
    };
    addAll(first, second === undefined ? 'whole' : 'first');
    if (second !== undefined) addAll(second, 'second');
  }
}

function add({ rolesByHash, termsByStart }: Tables, word: string, role: Role): void {
  const text = normalize(readable(word, 'stripped').text);
  const start = text.charCodeAt(0);
  if (!isUnspaced(start)) {
    const hash = hashOf(text);
    // Later steps of a phrase come first, so that one word does not count as two of them.
    rolesByHash.set(hash, [role, ...(rolesByHash.get(hash) ?? [])]);
    return;
  }
  const terms = termsByStart.get(start) ?? [];
  termsByStart.set(start, terms);
  const same = terms.find(({ term }) => term === text);
  if (same) same.roles.unshift(role);
  else terms.push({ term: text, roles: [role] });
}

/** Full-width letters, ligatures and capitals are the same letters. */
function normalize(text: string): string {
  return beyondAscii.test(text) ? text.normalize('NFKC').toLowerCase() : text;
}

const beyondAscii = /[\u0080-\uFFFF]/;

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at += 1) hash = step(hash, word.charCodeAt(at));
  return hash;
}

/** An ASCII capital counts as its lower-case letter. Other capitals are converted before. */
const step = (hash: number, code: number) =>
  (Math.imul(hash, 31) + (code >= 65 && code <= 90 ? code + 32 : code)) | 0;

/** Han, Kana and their extensions, which are written without spaces. */
function isUnspaced(code: number): boolean {
  return code >= 0x3040 && code <= 0x9fff;
}

const [notWord, border, asciiLetter, otherLetter, unspaced] = [0, 1, 2, 3, 4] as const;

/** The kind of every UTF-16 code unit. */
let kinds: Uint8Array | undefined;

function unitKind(code: number): number {
  if (borders.has(code)) return border;
  if (code < 0x80) {
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return asciiLetter;
    // Digits, and signs that replace letters in altered words.
    return (code >= 48 && code <= 57) || code === 64 || code === 36 ? otherLetter : notWord;
  }
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return notWord;
  if (code >= 0x2000 && code <= 0x2bff) return notWord;
  if (code >= 0x3000 && code <= 0x303f) return notWord;
  if (isUnspaced(code)) return unspaced;
  return code === 0x060c ? notWord : otherLetter;
}

/** The ends of sentences, including those of Arabic, Indic and East Asian scripts. */
const borders = new Set(
  [...'.?;\u061b\u061f\u06d4\u0964\u0965\u3002'].map((one) => one.charCodeAt(0)),
);

/** The first one, and how many there are. */
export function findInstructions(given: string): Signal[] {
  const {
    rolesByHash,
    termsByStart,
    phrases,
    cuesByHash,
    cueGroups: groups,
    isKnown,
  } = openTables();
  kinds ??= Uint8Array.from({ length: 0x10000 }, (_, code) => unitKind(code));
  const { text: decoded, at: origin } = readable(given, 'stripped');
  const text = normalize(decoded);
  const lastSeen = new Int32Array(3 * languages.length).fill(-1000);
  const reached = new Int32Array(phrases).fill(-1);
  const reachedAt = new Int32Array(phrases);
  /** Where each part of a sentence, and each phrase, starts in the text. */
  const partStarts = new Int32Array(3 * languages.length);
  const phraseStarts = new Int32Array(phrases);
  let [first, count, quietUntil, word] = [-1, 0, 0, 0];

  const advance = ({ of, at, isLast }: Role, start: number) => {
    if (at === 0) {
      // The same word may also be a later step.
      if (reachedAt[of] === word && (reached[of] ?? -1) > 0) return -1;
      phraseStarts[of] = start;
    } else {
      const distance = word - (reachedAt[of] ?? 0);
      if (distance === 0 || distance > wordsBetween) return -1;
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
      // Most words are a later step of phrases that have not begun.
      if (role.isPhrase && role.at > 0 && reached[role.of] !== role.at - 1) continue;
      const start = role.isPhrase ? advance(role, at) : complete(role, at);
      if (start < 0) continue;
      if (first < 0) first = start;
      // One sentence may match in several ways.
      if (word >= quietUntil) count += 1;
      quietUntil = word + sentenceWords;
    }
  };

  const weighed = weighCues(groups);
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
    if (start >= 0 && isTagName(text, start)) start = -1;
    if (start >= 0) {
      word += 1;
      const length = at - start;
      const isMixed = letters > 0 && letters < length && length <= maxWordLength;
      const mark = isKnown[hash & hashEnds] ?? 0;
      const roles =
        (mark & inRoles ? rolesByHash.get(hash) : undefined) ??
        (isMixed
          ? rolesByHash.get(hashOf(foldWord(text.slice(start, at).toLowerCase())))
          : undefined);
      if (roles) take(roles, start);
      const cue = mark & inCues ? cuesByHash.get(hash) : undefined;
      const prompt = cue ? weighed(cue, word, start) : -1;
      if (prompt >= 0) {
        first = first < 0 ? prompt : Math.min(first, prompt);
        if (word >= quietUntil) count += 1;
        quietUntil = word + cueWindow;
      }
      start = -1;
    }
    if (kind === border) word += borderWords;
    if (kind !== unspaced) continue;
    word += 1;
    for (const { term, roles } of termsByStart.get(code) ?? []) {
      if (text.startsWith(term, at)) take(roles, at);
    }
  }
  return count === 0 ? [] : [{ id: 'instruction', at: origin(first), count }];
}

/** The name of an element, which does not separate sentences. */
function isTagName(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  return before === openTag || (before === slash && text.charCodeAt(start - 2) === openTag);
}

const openTag = 60;
const slash = 47;

/** Adds up the cues of the last words. Returns where they start once they form a prompt, or -1. */
function weighCues(groups: readonly number[]) {
  const lastAt = new Int32Array(groups.length).fill(-1);
  const lastFirst = new Int32Array(groups.length).fill(-10);
  const counts = cueGroups.map(() => 0);
  const recent: { cue: number; word: number; start: number }[] = [];
  let from = 0;
  const forget = (cue: number) => {
    lastAt[cue] = -1;
    counts[groups[cue] ?? 0] = (counts[groups[cue] ?? 0] ?? 0) - 1;
  };
  return (roles: readonly CueRole[], word: number, start: number): number => {
    let isChanged = false;
    for (const { cue, place } of roles) {
      const isComplete =
        place === 'whole' || (place === 'second' && word - (lastFirst[cue] ?? 0) === 1);
      if (place === 'first') lastFirst[cue] = word;
      if (!isComplete) continue;
      if (lastAt[cue] === -1) counts[groups[cue] ?? 0] = (counts[groups[cue] ?? 0] ?? 0) + 1;
      lastAt[cue] = word;
      recent.push({ cue, word, start });
      isChanged = true;
    }
    if (!isChanged) return -1;
    for (let one = recent[from]; one && word - one.word > cueWindow; one = recent[from]) {
      if (lastAt[one.cue] === one.word) forget(one.cue);
      from += 1;
    }
    // Without a word for a model, the same words may be part of a speech.
    const isAddressed = (counts[0] ?? 0) > 0;
    if (weightOf(counts) < (isAddressed ? cueThreshold : cueThresholdUnaddressed)) return -1;
    const place = recent[from]?.start ?? start;
    // The next prompt needs its own cues.
    from = recent.length;
    lastAt.fill(-1);
    counts.fill(0);
    return place;
  };
}

function weightOf(counts: readonly number[]): number {
  return cueGroups.reduce((sum, name, group) => {
    const { first, each, max } = cueWeights[name];
    const count = counts[group] ?? 0;
    return count === 0 ? sum : sum + first + each * Math.min(count, max);
  }, 0);
}
