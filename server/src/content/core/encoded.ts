// Finds long texts in Base64 or hexadecimal digits.
import type { Signal } from './signals.ts';

const minEncodedLength = 200;

export function isEncoded(value: string, length: number): boolean {
  return findRun(value, length) !== undefined;
}

/** A picture or a font embedded in the text, in the form that browsers use. */
const embedded = /data:(?:image|font|audio|video)\/[\w.+-]{1,40}(?:;[\w=-]{1,40}){0,3};base64,$/i;

export function findEncoded(text: string): Signal[] {
  const found: Signal[] = [];
  for (let run = findRun(text, minEncodedLength); run;) {
    const isEmbedded = embedded.test(text.slice(Math.max(0, run.at - 200), run.at));
    if (!isEmbedded) found.push({ id: 'encoded_data', at: run.at, count: 1 });
    run = findRun(text, minEncodedLength, run.end);
  }
  return found;
}

/** The first run of encoding characters with at least this length. */
function findRun(
  text: string,
  minLength: number,
  from = 0,
): { at: number; end: number } | undefined {
  for (let at = from; at + minLength <= text.length;) {
    // Read from its end, because one other character rules out every run across it.
    let last = at + minLength - 1;
    while (last >= at && kindOf(text.charCodeAt(last)) > 0) last -= 1;
    if (last >= at) {
      at = last + 1;
      continue;
    }
    let [end, seen] = [at, 0];
    for (let kind = kindOf(text.charCodeAt(at)); kind > 0; kind = kindOf(text.charCodeAt(end))) {
      seen |= kind;
      end += 1;
    }
    if (isEncoding(seen)) return { at, end };
    at = end;
  }
  return undefined;
}

const [lower, upper, digit, other, lowerHex, upperHex] = [1, 2, 4, 8, 16, 32] as const;

/** Base64 has letters of both cases and digits, Base32 capitals, hexadecimal six letters. */
function isEncoding(seen: number): boolean {
  if ((seen & digit) === 0) return false;
  return (seen & (upper | upperHex)) !== 0 || seen === (digit | lowerHex);
}

/** The kind of an encoding character, or 0. */
function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return code <= 102 ? lowerHex : lower;
  if (code >= 65 && code <= 90) return code <= 70 ? upperHex : upper;
  if (code >= 48 && code <= 57) return digit;
  return code === 43 || code === 47 || code === 61 ? other : 0;
}
