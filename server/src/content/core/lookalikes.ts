// Letters of other alphabets, digits and signs that look like Latin letters and ASCII signs.

const letters: ReadonlyMap<string, string> = new Map([
  ...pairs('аa еe оo рp сc уy хx іi јj ѕs ԁd һh кk мm тt вb нh гr пn ԛq ԝw ӏl'),
  ...pairs('αa οo ρp εe νv ιi κk τt υu χx ηn ωw ıi ɡg'),
]);
const digits: ReadonlyMap<string, string> = new Map(pairs('0o 1i 3e 4a 5s 7t @a $s'));
const capitals = pairs(
  'АA ВB ЕE КK МM НH ОO РP СC ТT ХX ІI ЅS ЈJ ΑA ΒB ΕE ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΧX',
);
const signs = pairs('‹< 〈< 〈< ⟨< ❮< ›> 〉> 〉> ⟩> ❯> │| ∣| ǀ| ❘| ⎮| ⏐| ▁_ ⟦[ ⟧]');

export const latinLookalikes: ReadonlyMap<string, string> = new Map([
  ...letters,
  ...capitals,
  ...signs,
]);

function pairs(text: string): [string, string][] {
  return text.split(' ').map(([looks = '', is = '']) => [looks, is]);
}

/** The Latin word that a lower-case word imitates. */
export function foldWord(word: string): string {
  let folded = '';
  for (const one of word) folded += letters.get(one) ?? digits.get(one) ?? one;
  return folded;
}

/** True if a part of a host is a Latin word spelled with letters of another alphabet. */
export function imitatesLatin(label: string): boolean {
  let isForeign = false;
  for (const one of label) {
    if (one <= '\u007f') continue;
    if (!letters.has(one)) return false;
    isForeign = true;
  }
  return isForeign;
}
