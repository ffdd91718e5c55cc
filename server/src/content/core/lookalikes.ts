// Letters of other alphabets, digits and signs that look like Latin letters and ASCII signs, and
// addresses whose host imitates another one with letters of a second alphabet.
import type { Signal } from './signals.ts';

const latinLetters: ReadonlyMap<string, string> = new Map([
  ...pairs('аa еe оo рp сc уy хx іi јj ѕs ԁd һh кk мm тt вb нh гr пn ԛq ԝw ӏl'),
  ...pairs('αa οo ρp εe νv ιi κk τt υu χx ηn ωw ıi ɡg'),
]);
const digits: ReadonlyMap<string, string> = new Map(pairs('0o 1i 3e 4a 5s 7t @a $s'));
const capitals = pairs(
  'АA ВB ЕE КK МM НH ОO РP СC ТT ХX ІI ЅS ЈJ ΑA ΒB ΕE ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΧX',
);
const signs = pairs('‹< 〈< 〈< ⟨< ❮< ›> 〉> 〉> ⟩> ❯> │| ∣| ǀ| ❘| ⎮| ⏐| ▁_ ⟦[ ⟧]');

export const latinLookalikes: ReadonlyMap<string, string> = new Map([
  ...latinLetters,
  ...capitals,
  ...signs,
]);

function pairs(text: string): [string, string][] {
  return text.split(' ').map(([looks = '', is = '']) => [looks, is]);
}

/** The Latin word that a lower-case word imitates. */
export function foldWord(word: string): string {
  let folded = '';
  for (const one of word) folded += latinLetters.get(one) ?? digits.get(one) ?? one;
  return folded;
}

/** True if a part of a host is a Latin word spelled with letters of another alphabet. */
function imitatesLatin(label: string): boolean {
  let isForeign = false;
  for (const one of label) {
    if (one <= '\u007f') continue;
    if (!latinLetters.has(one)) return false;
    isForeign = true;
  }
  return isForeign;
}

const maxHostChars = 253;
const endOfHost = /[/?#\s)\]"'<>\\]/;

export function findLookalikeHosts(text: string): Signal[] {
  let [first, count] = [-1, 0];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const rest = text.slice(at + 3, at + 3 + maxHostChars);
    const end = rest.search(endOfHost);
    const host = (end < 0 ? rest : rest.slice(0, end)).toLowerCase();
    if (!host.split('.').some((label) => imitatesLatin(decodeLabel(label)))) continue;
    if (first < 0) first = at;
    count += 1;
  }
  return count === 0 ? [] : [{ id: 'lookalike_host', at: first, count }];
}

const prefix = 'xn--';

/** Decodes Punycode (RFC 3492). A label that is not Punycode, or is invalid, stays as it is. */
function decodeLabel(label: string): string {
  if (!label.startsWith(prefix)) return label;
  const code = label.slice(prefix.length);
  const delimiter = code.lastIndexOf('-');
  const output = [...code.slice(0, Math.max(0, delimiter))].map((one) => one.charCodeAt(0));
  let [n, i, bias] = [128, 0, 72];
  for (let at = delimiter < 0 ? 0 : delimiter + 1; at < code.length;) {
    const before = i;
    for (let [weight, k] = [1, base]; ; k += base) {
      const digit = digitOf(code.charCodeAt(at));
      at += 1;
      if (digit === undefined) return label;
      i += digit * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (digit < threshold) break;
      weight *= base - threshold;
      if (i > 0x7fff_ffff || weight > 0x7fff_ffff) return label;
    }
    bias = adapt(i - before, output.length + 1, before === 0);
    n += Math.floor(i / (output.length + 1));
    i %= output.length + 1;
    if (n > 0x10ffff) return label;
    output.splice(i, 0, n);
    i += 1;
  }
  return String.fromCodePoint(...output);
}

const base = 36;

function digitOf(code: number): number | undefined {
  if (code >= 97 && code <= 122) return code - 97;
  return code >= 48 && code <= 57 ? code - 48 + 26 : undefined;
}

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(isFirst ? delta / 700 : delta / 2);
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > 455; k += base) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}
