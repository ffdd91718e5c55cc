// Cleans titles and snippets: decodes entities and removes highlight tags.
import { wholeEnd } from '@trivium/shared/whole-end';

/** Plain text from a vendor's title or snippet. Undefined if nothing is left. */
export function plain(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const bare = text.includes('<') ? text.replace(highlightTags, '') : text;
  const decoded = bare.includes('&') ? bare.replace(entity, decode) : bare;
  const trimmed = decoded.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** The vendor's texts as plain text, without empty ones. */
export function plainTexts(texts: readonly unknown[] | null | undefined): string[] {
  const kept: string[] = [];
  for (const text of texts ?? []) {
    const bare = plain(text);
    if (bare !== undefined) kept.push(bare);
  }
  return kept;
}

/** The first of several lists of texts that is not empty, as plain text. */
export function firstTexts(...lists: readonly (readonly unknown[] | null | undefined)[]): string[] {
  for (const list of lists) {
    const texts = plainTexts(list);
    if (texts.length > 0) return texts;
  }
  return [];
}

/** Several names as one text. */
export function joinNames(names: readonly string[] | null | undefined): string | undefined {
  return filled(names?.filter((name) => name.trim() !== '').join(', '));
}

/** The text as given, or undefined if it is empty or not a text. */
export function filled(text: unknown): string | undefined {
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/**
 * Splits a long markdown text into passages at blank lines, and joins a heading to the text after
 * it.
 */
export function passages(text: string): string[] {
  const found: string[] = [];
  let heading = '';
  for (let from = 0; from < text.length;) {
    const [end, next] = blankLine(text, from);
    const passage = text.slice(from, end).trim();
    from = next;
    if (passage === '') continue;
    if (passage.startsWith('#') && loneHeading.test(passage)) {
      heading += `${passage}\n`;
    } else {
      found.push(heading + passage);
      heading = '';
    }
  }
  if (heading !== '') found.push(heading.trim());
  return found;
}

const loneHeading = /^#{1,6} [^\n]*$/;

/**
 * Where the next blank line begins and ends. This uses the engine's own text search, because a
 * regular expression would examine every character.
 */
function blankLine(text: string, from: number): [number, number] {
  let lineEnd = text.indexOf('\n', from);
  while (lineEnd >= 0) {
    restOfBlank.lastIndex = lineEnd + 1;
    if (restOfBlank.test(text)) return [lineEnd, restOfBlank.lastIndex];
    lineEnd = text.indexOf('\n', lineEnd + 1);
  }
  return [text.length, text.length];
}

const restOfBlank = /\s*\n/y;

const highlightTags = /<\/?(?:strong|b|em|i|mark|span)(?: [^<>]*)?>/gi;
const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi;
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  middot: '·',
  bull: '•',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  deg: '°',
};

function decode(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
  const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? String.fromCodePoint(code) : whole;
}

/** Cuts at an exact number of characters, never in the middle of one. */
export function cutTo(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, wholeEnd(text, maxChars));
}
