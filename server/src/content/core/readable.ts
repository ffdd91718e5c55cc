// A text as its readers get it: entities decoded, characters that are not shown left out, look-alike
// letters replaced. Each position leads back to the text itself.
import { latinLookalikes } from './lookalikes.ts';

/**
 * `decoded` has no entities. `stripped` also has no character that is not shown, even where a script
 * needs it. `folded` also has ASCII instead of what looks like it.
 */
type ReadableForm = 'decoded' | 'stripped' | 'folded';

/** A character class is matched in one pass of native code; most texts contain none of these. */
export const hiddenCharacter =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{13430}-\u{1343F}\u{16FE4}\u{1BCA0}-\u{1BCA3}\u{1D159}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]/gu;

/** Control characters other than white space. */
function isControlCode(code: number): boolean {
  if (code > 0x9f || (code >= 0x09 && code <= 0x0d)) return false;
  return code <= 0x1f || (code >= 0x7f && code !== 0x85);
}

function isStripped(one: string): boolean {
  return isControlCode(one.charCodeAt(0)) || one.search(hiddenCharacter) >= 0;
}

const names = (
  'lt < LT < gt > GT > amp & AMP & quot " QUOT " apos \' colon : semi ; equals = quest ? excl ! ' +
  'sol / bsol \\ num # percnt % lowbar _ UnderBar _ vert | verbar | VerticalLine | lbrack [ lsqb [ ' +
  'rbrack ] rsqb ] lpar ( rpar ) lbrace { lcub { rbrace } rcub } comma , period . dollar $ ' +
  'grave ` ast * midast * plus + commat @ Tab \t NewLine \n nbsp \u00a0 shy \u00ad zwj \u200d ' +
  'zwnj \u200c lrm \u200e rlm \u200f ZeroWidthSpace \u200b NegativeThinSpace \u200b ' +
  'NegativeMediumSpace \u200b NegativeThickSpace \u200b NegativeVeryThinSpace \u200b ' +
  'NoBreak \u2060 af \u2061 ApplyFunction \u2061 it \u2062 InvisibleTimes \u2062 ic \u2063 ' +
  'InvisibleComma \u2063'
).split(' ');
/** Each name is followed by its character. */
const namedEntities: ReadonlyMap<string, string> = new Map(
  names.flatMap((name, at) => (at % 2 === 0 ? [[name, names[at + 1] ?? ''] as const] : [])),
);

/** Also without its semicolon where browsers accept that, and encoded more than once. */
const entityHere =
  /&(?:amp;|#0{0,9}38;|#x0{0,9}26;){0,9}(?:#(\d{1,9});?|#x([\da-f]{1,9});?|([a-z]{2,22});|(lt|gt|amp|quot|shy|nbsp)(?![\w=]))/iy;
/** Most texts with an ampersand have no entity. */
const anyEntity = /&(?:#x?[\da-f]|[a-z]{2,22};|(?:lt|gt|amp|quot|shy|nbsp)(?!\w))/i;

function entityAt(text: string, at: number): { code: number; end: number } | undefined {
  entityHere.lastIndex = at;
  const match = entityHere.exec(text);
  if (!match) return undefined;
  const [, decimal, hexadecimal, name, legacy] = match;
  const code = decimal
    ? Number(decimal)
    : hexadecimal
      ? Number.parseInt(hexadecimal, 16)
      : namedEntities.get(name ?? legacy ?? '')?.charCodeAt(0);
  if (code === undefined || code > 0x10ffff) return undefined;
  return { code, end: entityHere.lastIndex };
}

/** A value of an attribute, or an address. */
export function decodeEntities(value: string): string {
  return value.includes('&') ? readable(value, 'decoded').text : value;
}

/** What each UTF-16 code unit counts as, or `leftOut`. */
const tablesByForm = new Map<ReadableForm, Uint16Array>();
/** Not a character. */
const leftOut = 0xffff;

function makeTable(form: ReadableForm): Uint16Array {
  return Uint16Array.from({ length: 0x10000 }, (_, code) => {
    const one = String.fromCharCode(code);
    if (form === 'decoded') return code;
    if (isStripped(one)) return leftOut;
    if (form === 'stripped' || code < 0x80) return code;
    const latin = latinLookalikes.get(one) ?? one.normalize('NFKC');
    return latin.length === 1 && latin < '\u0080' ? latin.charCodeAt(0) : code;
  });
}

const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });

export function readable(text: string, form: ReadableForm) {
  const isChanged = form === 'decoded' ? anyEntity.test(text) : /[^\n\r\t -%'-~]/.test(text);
  if (!isChanged) return { text, at: (position: number) => position };
  const table = tablesByForm.get(form) ?? makeTable(form);
  tablesByForm.set(form, table);
  const units = new Uint16Array(text.length);
  const origins = new Uint32Array(text.length);
  let length = 0;
  for (let [at, end] = [0, 0]; at < text.length; at = end) {
    let code = text.charCodeAt(at);
    end = at + 1;
    if (code === 38) {
      const decoded = entityAt(text, at);
      if (decoded) ({ code, end } = decoded);
    } else if (code >= 0xd800 && code <= 0xdbff) {
      code = text.codePointAt(at) ?? code;
      if (code > 0xffff) end += 1;
    }
    const pair = code > 0xffff ? astral(code, form) : '';
    const unit = code > 0xffff ? pair.charCodeAt(0) || leftOut : (table[code] ?? code);
    if (unit === leftOut) continue;
    units[length] = unit;
    origins[length] = at;
    length += 1;
    if (pair.length < 2) continue;
    units[length] = pair.charCodeAt(1);
    origins[length] = at;
    length += 1;
  }
  return {
    text: decoder.decode(units.subarray(0, length)),
    /** The position in the original text. */
    at: (position: number) => (position < length ? (origins[position] ?? 0) : text.length),
  };
}

/** A character of two code units, or the letter that it looks like, or nothing. */
function astral(code: number, form: ReadableForm): string {
  const one = String.fromCodePoint(code);
  if (form !== 'decoded' && isStripped(one)) return '';
  const letter = form === 'folded' ? one.normalize('NFKC') : one;
  return letter.length === 1 ? letter : one;
}
