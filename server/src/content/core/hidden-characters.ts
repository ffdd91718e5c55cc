// Finds characters that a reader does not see, also written as entities. Characters that scripts
// and emoji need are ordinary.
import { hiddenCharacter, readable } from './readable.ts';
import type { SignalId, TextPart } from './signals.ts';

type HiddenKind = Extract<
  SignalId,
  'invisible_text' | 'bidirectional_control' | 'tag_characters' | 'variation_data'
>;

/** A hidden character, and what is around it. */
interface Hidden {
  text: string;
  at: number;
  code: number;
  before: string;
  after: string;
  /** True directly behind another hidden character. */
  isChained: boolean;
}

export function hiddenParts(given: string): TextPart[] {
  const { text, at: origin } = readable(given, 'decoded');
  if (text.search(hiddenCharacter) < 0) return [];
  const hasVariantData = variantsCarryData(text);
  const parts: TextPart[] = [];
  let [chainEnd, flagEnd] = [-1, -1];
  for (const { 0: character, index: at } of text.matchAll(hiddenCharacter)) {
    const code = character.codePointAt(0) ?? 0;
    const end = at + character.length;
    const isChained = at === chainEnd;
    chainEnd = end;
    if (at >= flagEnd && code >= firstTag && code <= lastTag) flagEnd = endOfFlag(text, at);
    if (at < flagEnd) continue;
    const [before, after] = [characterBefore(text, at), characterAfter(text, end)];
    const isVariant = isIdeographVariant(code) && ideograph.test(before);
    if (isVariant && !hasVariantData) continue;
    const id = isVariant
      ? 'variation_data'
      : hiddenKind({ text, at, code, before, after, isChained });
    if (id !== undefined) parts.push({ id, ranges: [[origin(at), origin(end)]] });
  }
  return parts;
}

const firstTag = 0xe0000;
const lastTag = 0xe007f;
const tags = (text: string) =>
  [...text].map((one) => String.fromCharCode(0xdb40, 0xdc00 + one.charCodeAt(0))).join('');
const blackFlag = '\u{1F3F4}';
/** The only flags that consist of tag characters: England, Scotland and Wales. */
const flags = ['gbeng', 'gbsct', 'gbwls'].map((region) => `${tags(region)}\u{E007F}`);

function endOfFlag(text: string, at: number): number {
  if (characterBefore(text, at) !== blackFlag) return -1;
  const flag = flags.find((one) => text.startsWith(one, at));
  return flag === undefined ? -1 : at + flag.length;
}

function hiddenKind({ text, at, code, before, after, isChained }: Hidden): HiddenKind | undefined {
  const isNear = (script: RegExp) => script.test(before) || script.test(after);
  if (code >= firstTag && code <= lastTag) return 'tag_characters';
  if (isIdeographVariant(code) || (code >= 0xfe00 && code <= 0xfe0f)) {
    // One selector belongs to the character before it. A second one selects nothing.
    return isChained || !isSelected(code, before, after) ? 'variation_data' : undefined;
  }
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) {
    return 'bidirectional_control';
  }
  // Marks that are used in Hebrew and Arabic text.
  if (code === 0x200e || code === 0x200f || code === 0x061c) {
    return isNear(rightToLeft) ? undefined : 'bidirectional_control';
  }
  const isOrdinary =
    // A zero-width joiner and a non-joiner.
    (code === 0x200d && (isNear(joining) || (pictograph.test(before) && pictograph.test(after)))) ||
    (code === 0x200c && isNear(joining)) ||
    // A soft hyphen marks where a word may be broken, which is not behind every letter.
    (code === 0x00ad &&
      letter.test(before) &&
      letter.test(after) &&
      !hyphensAtEachLetter.test(text.slice(Math.max(0, at - 4), at + 5))) ||
    (code >= 0x180b && code <= 0x180f && !isChained && mongolian.test(before)) ||
    // Hangul fillers and empty Braille cells, within their scripts.
    ((code === 0x115f || code === 0x1160) && isNear(hangul)) ||
    (code === 0x2800 && isNear(braille)) ||
    // A byte order mark at the start of a text.
    (code === 0xfeff && at === 0);
  return isOrdinary ? undefined : 'invisible_text';
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
const hyphensAtEachLetter = /\u00ad[^]\u00ad[^]\u00ad/;

function characterBefore(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  return text.slice(Math.max(0, at - (isLow ? 2 : 1)), at);
}

function characterAfter(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** Whether the Unicode standard has this variant of the character. */
function isSelected(code: number, before: string, after: string): boolean {
  if (code === 0xfe0e || code === 0xfe0f) {
    if (/[0-9#*]/.test(before)) return after === '\u20e3';
    return /[\p{Extended_Pictographic}\p{Emoji_Modifier}]|(?![ -~])\p{S}/u.test(before);
  }
  if (code > 0xfe01) return false;
  if (/[\u3001\u3002\uFF01-\uFF1F]/.test(before)) return true;
  return (
    code === 0xfe00 && /0|(?![ -~])\p{Sm}|[\p{Script=Myanmar}\p{Script=Phags_Pa}]/u.test(before)
  );
}

/** Variants of ideographs, which names need. */
function isIdeographVariant(code: number): boolean {
  return (code >= 0xe0100 && code <= 0xe01ef) || (code >= 0xfe00 && code <= 0xfe02);
}

const maxVariants = 4;
const variantAtEach = /(?:\p{Script=Han}[\uFE00-\uFE02\u{E0100}-\u{E01EF}]){3}/u;

/** A name has one or two of them, and a page the same ones again. */
function variantsCarryData(text: string): boolean {
  const variants = text.match(/[\u{E0100}-\u{E01EF}]/gu) ?? [];
  return new Set(variants).size > maxVariants || variantAtEach.test(text);
}
