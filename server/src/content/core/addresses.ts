// Decides whether an address is made to carry data out: a placeholder for data in its query, or
// more than an address needs.
import { isEncoded } from './encoded.ts';
import { decodeEntities } from './readable.ts';

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
