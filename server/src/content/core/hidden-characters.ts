// Finds and removes characters that a reader does not see. Characters that scripts and emoji need
// are kept.
import type { Signal, SignalId } from './signals.ts';

type Kind = Extract<
  SignalId,
  'invisible_text' | 'bidirectional_control' | 'tag_characters' | 'variation_data'
>;

// A character class is matched in one pass of native code, and most texts contain none of these.
const suspicious =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** A text with more of them consists of them, and each costs as much as a hundred others. */
const maxHidden = 10_000;

/** Hidden characters with their kinds, in order, up to the maximum. */
function* hiddenIn(text: string): Generator<{ at: number; length: number; kind: Kind }> {
  let [chainEnd, isInFlag, looked] = [-1, false, 0];
  for (const { 0: character, index: at } of text.matchAll(suspicious)) {
    looked += 1;
    if (looked > maxHidden) return;
    const code = character.codePointAt(0) ?? 0;
    const isChained = at === chainEnd;
    const kind = kindOf(text, at, code, { isChained, isInFlag: isChained && isInFlag });
    isInFlag = code >= firstTag && code <= lastTag && kind === undefined;
    chainEnd = at + character.length;
    if (kind !== undefined) yield { at, length: character.length, kind };
  }
}

const firstTag = 0xe0000;
const lastTag = 0xe007f;

function kindOf(
  text: string,
  at: number,
  code: number,
  { isChained, isInFlag }: { isChained: boolean; isInFlag: boolean },
): Kind | undefined {
  if (code >= firstTag && code <= lastTag) {
    return isInFlag || isBlackFlagBefore(text, at) ? undefined : 'tag_characters';
  }
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) {
    // One selector belongs to the character before it. A second one selects nothing.
    return isChained || !isSelectable(text, at) ? 'variation_data' : undefined;
  }
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) {
    return 'bidirectional_control';
  }
  // Marks that are used in Hebrew and Arabic text.
  if (code === 0x200e || code === 0x200f || code === 0x061c) {
    return isNear(text, at, rightToLeft) ? undefined : 'bidirectional_control';
  }
  if (code === 0x200d) {
    return isNear(text, at, joining) || isBetweenEmoji(text, at) ? undefined : 'invisible_text';
  }
  if (code === 0x200c) return isNear(text, at, joining) ? undefined : 'invisible_text';
  // A soft hyphen marks where a word may be broken.
  if (code === 0x00ad) return isInWord(text, at) ? undefined : 'invisible_text';
  if (code >= 0x180b && code <= 0x180f) {
    return isNear(text, at, mongolian) ? undefined : 'invisible_text';
  }
  // Hangul fillers and a Khmer vowel.
  if (code === 0x115f || code === 0x1160) {
    return isNear(text, at, hangul) ? undefined : 'invisible_text';
  }
  // A byte order mark at the start of a text.
  if (code === 0xfeff && at === 0) return undefined;
  // Empty Braille cells, within Braille.
  if (code === 0x2800) return isNear(text, at, braille) ? undefined : 'invisible_text';
  return 'invisible_text';
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Mongolian}\p{Script=Nko}]/u;
const mongolian = /\p{Script=Mongolian}/u;
const hangul = /\p{Script=Hangul}/u;
const braille = /[\u2801-\u28FF]/u;
const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u;
const letter = /\p{L}/u;
const ideograph = /\p{Script=Han}/u;
/** Digits and signs that can become keycaps. */
const keyCap = /[0-9#*]/;

function characterBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  return text.slice(Math.max(0, at - (isLow ? 2 : 1)), at);
}

function characterAfter(text: string, at: number): string {
  const code = text.codePointAt(at + 1);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function isNear(text: string, at: number, script: RegExp): boolean {
  return script.test(characterBefore(text, at)) || script.test(characterAfter(text, at));
}

function isBetweenEmoji(text: string, at: number): boolean {
  return pictograph.test(characterBefore(text, at)) && pictograph.test(characterAfter(text, at));
}

function isInWord(text: string, at: number): boolean {
  return letter.test(characterBefore(text, at)) && letter.test(characterAfter(text, at));
}

/** Flags of regions consist of a black flag and tag characters. */
function isBlackFlagBefore(text: string, at: number): boolean {
  return characterBefore(text, at) === '\u{1F3F4}';
}

/** Emoji, keycaps, symbols, ideographs and Mongolian letters have variants. */
function isSelectable(text: string, at: number): boolean {
  const before = characterBefore(text, at);
  return (
    pictograph.test(before) ||
    keyCap.test(before) ||
    ideograph.test(before) ||
    mongolian.test(before) ||
    /[\p{S}\p{Po}\p{Script=Myanmar}]/u.test(before)
  );
}

export function findHiddenCharacters(text: string): Signal[] {
  if (text.search(suspicious) < 0) return [];
  const found: Signal[] = [];
  for (const { at, kind } of hiddenIn(text)) {
    const known = found.find(({ id }) => id === kind);
    if (known) known.count += 1;
    else found.push({ id: kind, at, count: 1 });
  }
  return found;
}

/**
 * The text without hidden characters. A text that consists of them also loses those that a script
 * may need.
 */
export function removeHiddenCharacters(text: string): string {
  if (text.search(suspicious) < 0) return text;
  if (hasTooMany(text)) return text.replaceAll(suspicious, '');
  let [kept, from] = ['', 0];
  for (const { at, length } of hiddenIn(text)) {
    kept += text.slice(from, at);
    from = at + length;
  }
  return kept + text.slice(from);
}

function hasTooMany(text: string): boolean {
  if (text.length <= maxHidden) return false;
  const found = text.matchAll(suspicious);
  return found.drop(maxHidden).next().done !== true;
}
