// Finds data that is made to leave: long texts in Base64 or hexadecimal digits, and addresses with a
// placeholder for data in their query, or with more than an address needs.
import { decodeEntities } from './readable.ts';
import type { Signal } from './signals.ts';

const placeholder =
  /[{}]|%7b|\$\{|<[a-z_ ]{2,40}>|\[[a-z_ ]{2,40}\]|(?:insert|your|user)[_-]?[a-z]{0,20}(?:here|data|secret|query|message|input)/i;
const dataName =
  /^(?:q|d|data|payload|content|secrets?|tokens?|msg|message|text|info|leak|exfil|conversation|history|prompt|context|keys?|stolen|log|summary|chat|password|email)$/i;
/** Names that images of ordinary pages also have: for a quality, a default, a label or access. */
const ordinaryName = /^(?:q|d|text|message|tokens?|keys?)$/i;
const ordinaryValue = /^(?:tokens?|keys?)=|=https?(?::|%3a)/i;
const maxOrdinaryLength = 24;
const maxValueLength = 200;
const minDataLength = 40;
/** As browsers read it: backslashes are slashes, and the slashes may be missing. */
const outgoing = /^(?:(?:https?|wss?|ftp|mailto):|\/\/|www\.)/i;

interface AddressUse {
  /** True if a reader follows it without being asked: an image or a frame. */
  isLoaded: boolean;
}

export function carriesData(written: string, { isLoaded }: AddressUse): boolean {
  const address = decodeEntities(written)
    .replaceAll(/[\t\n\r]/g, '')
    .replaceAll('\\', '/')
    .trim();
  const query = address.indexOf('?');
  if (!outgoing.test(address)) return false;
  if (isLoaded && placeholder.test(address)) return true;
  if (query < 0) return false;
  return address
    .slice(query + 1)
    .split(/[&;]/)
    .some((pair) => {
      const equals = pair.indexOf('=');
      const name = decodeName(pair.slice(0, Math.max(0, equals)));
      const value = pair.slice(equals + 1);
      if (placeholder.test(value) || value.length > maxValueLength) return true;
      if (equals < 0 && isLoaded) return isEncoded(value, minDataLength);
      if (!dataName.test(name)) return false;
      if (value === '' || isEncoded(value, minDataLength)) return true;
      if (!isLoaded || !ordinaryName.test(name)) return isLoaded;
      return value.length > maxOrdinaryLength && !ordinaryValue.test(pair);
    });
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Every address in the value of an attribute, which may be a list or a style. */
export function addressesIn(value: string): string[] {
  const text = decodeEntities(value).replaceAll(/[\t\n\r]/g, '');
  return text.match(/(?:(?:https?|wss?|ftp|mailto):|[\\/]{2})[^\s"'<>]*/gi) ?? [];
}

const minEncodedLength = 200;

function isEncoded(value: string, length: number): boolean {
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
    while (last >= at && encodingKind(text.charCodeAt(last)) > 0) last -= 1;
    if (last >= at) {
      at = last + 1;
      continue;
    }
    let [end, seen] = [at, 0];
    for (
      let kind = encodingKind(text.charCodeAt(at));
      kind > 0;
      kind = encodingKind(text.charCodeAt(end))
    ) {
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
function encodingKind(code: number): number {
  if (code >= 97 && code <= 122) return code <= 102 ? lowerHex : lower;
  if (code >= 65 && code <= 90) return code <= 70 ? upperHex : upper;
  if (code >= 48 && code <= 57) return digit;
  return code === 43 || code === 47 || code === 61 ? other : 0;
}
