// Finds markup that is not meant for a reader: markup of conversations and tool calls, elements
// that a browser does not show, images and links that carry data out, and long encoded texts. All
// of these except encoded texts can be removed.
import type { Signal, SignalId } from './signals.ts';

/** A part of a text, and what replaces it in a clean text. */
interface Part {
  id: SignalId;
  at: number;
  end: number;
  instead: string;
}

/** Longer tags and addresses are not read to their end. */
const maxTagLength = 2000;
const maxAddressLength = 4000;
const maxHiddenLength = 20_000;

const chatTag =
  /<\|[a-z_ ]{2,30}\|>|<\/?(?:start_of_turn|end_of_turn|function_calls?|function_results?|tool_calls?|tool_use|tool_response|tool_result|invoke|system|system-reminder|system_prompt|antml:[a-z_]{2,30}|function=[\w-]{1,60})\b|<<\/?SYS>>/iy;
const chatBracket = /\[\/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_RESULTS)\]/iy;
const chatLine =
  /#{1,4} ?\((?:system|developer|assistant)[_ ](?:message|prompt|note)\)|(?:###? ?(?:System|Instruction|Response|Human|Assistant|User)|(?:System|Human|Assistant)) ?: ?/iy;
const toolJson = /"(?:tool_calls|function_call|tool_use|tool_call_id)"\s{0,4}:/y;

/** A text in which each mark is searched for once, however many places ask for the next one. */
interface Source {
  text: string;
  /** Where the mark occurs next, within this many characters. Otherwise -1. */
  next: (mark: string, from: number, within: number) => number;
}

function sourceOf(text: string): Source {
  const known = new Map<string, number>();
  let lowered: string | undefined;
  return {
    text,
    next: (mark, from, within) => {
      let at = known.get(mark) ?? -1;
      if (at < from) {
        lowered ??= asciiLowerCase(text);
        at = lowered.indexOf(mark, from);
        known.set(mark, at < 0 ? Infinity : at);
      }
      return at >= 0 && at - from <= within ? at : -1;
    },
  };
}

/** Has the same length as the text, which toLowerCase does not guarantee. */
function asciiLowerCase(text: string): string {
  const lowered = text.toLowerCase();
  return lowered.length === text.length ? lowered : text;
}

/** Every part, in order. A part never starts inside another. */
function partsOf(text: string): Part[] {
  const source = sourceOf(text);
  const first = chatAt(text, 0, chatLine);
  const parts = [
    ...(first ? [first] : []),
    ...partsAtEach(text, '<', (at) => tagAt(source, at)),
    ...partsAtEach(text, '[', (at) => bracketAt(source, at)),
    ...partsAtEach(text, '\n', (at) => chatAt(text, at + 1, chatLine)),
    ...partsAtEach(text, '"t', (at) => chatAt(text, at, toolJson)),
    ...partsAtEach(text, '"f', (at) => chatAt(text, at, toolJson)),
  ].sort((one, two) => one.at - two.at);
  let end = 0;
  return parts.filter((part) => {
    if (part.at < end) return false;
    ({ end } = part);
    return true;
  });
}

function partsAtEach(text: string, mark: string, read: (at: number) => Part | undefined): Part[] {
  const parts: Part[] = [];
  for (let at = text.indexOf(mark); at >= 0;) {
    const part = read(at);
    if (part) parts.push(part);
    at = text.indexOf(mark, part ? Math.max(part.end, at + 1) : at + 1);
  }
  return parts;
}

function chatAt(text: string, at: number, pattern: RegExp): Part | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match ? { id: 'chat_markup', at, end: at + match[0].length, instead: '' } : undefined;
}

/** What may follow the bracket of a tag, with the lower-case bit set. */
const beginsTag = new Set(
  [...'|/<!abcdefghijklmnopqrstuvwxyz'].map((one) => one.charCodeAt(0) | 32),
);

function tagAt(source: Source, at: number): Part | undefined {
  const { text } = source;
  if (!beginsTag.has(text.charCodeAt(at + 1) | 32)) return undefined;
  const chat = chatAt(text, at, chatTag);
  if (chat) return chat;
  if (text.startsWith('<!--', at)) return hiddenUntil(source, at, at + 4, '-->');
  const next = text.charCodeAt(at + 1) | 32;
  if (!(next >= 97 && next <= 122)) return undefined;
  const end = source.next('>', at, maxTagLength);
  if (end < 0) return undefined;
  const tag = text.slice(at, end + 1);
  const name = /^<([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  if (name === 'img' || name === 'iframe' || name === 'script' || name === 'object') {
    const address = /\s(?:src|data)\s{0,4}=\s{0,4}["']?([^"'\s>]*)/i.exec(tag)?.[1];
    if (address === undefined || !carriesData(address)) return undefined;
    return { id: 'outgoing_data', at, end: end + 1, instead: '' };
  }
  return isHidden(tag) ? hiddenUntil(source, at, end + 1, `</${name}`) : undefined;
}

/** Up to the end of the closing mark. Without one, only the start is removed. */
function hiddenUntil(source: Source, at: number, start: number, mark: string): Part {
  const found = source.next(mark, start, maxHiddenLength);
  const close = found < 0 ? -1 : source.text.indexOf('>', found);
  return { id: 'hidden_element', at, end: close < 0 ? start : close + 1, instead: '' };
}

const hiddenStyle =
  /display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden|opacity\s{0,4}:\s{0,4}0(?:\.0{1,9})?(?![.\d])|font-size\s{0,4}:\s{0,4}0(?![.\d])|(?:text-indent|left|top|margin-left)\s{0,4}:\s{0,4}-\d{3,9}|color\s{0,4}:\s{0,4}(?:white|#fff(?:fff)?|transparent)\b|clip\s{0,4}:\s{0,4}rect\(0|(?:max-)?(?:width|height)\s{0,4}:\s{0,4}0(?:px)?\s{0,4}(?:;|["'])/i;
const hiddenAttribute = /\s(?:hidden(?=[\s=>/])|aria-hidden\s{0,4}=\s{0,4}["']?true)/i;

function isHidden(tag: string): boolean {
  return hiddenAttribute.test(tag) || (/\sstyle\s{0,4}=/i.test(tag) && hiddenStyle.test(tag));
}

/** A Markdown image or link, or the bracket of a chat. */
function bracketAt(source: Source, at: number): Part | undefined {
  const { text } = source;
  const chat = chatAt(text, at, chatBracket);
  if (chat) return chat;
  const close = source.next('](', at, maxTagLength);
  // The last opening bracket before it belongs to the link.
  if (close < 0 || text.lastIndexOf('[', close) !== at) return undefined;
  const end = source.next(')', close, maxAddressLength);
  if (end < 0 || !carriesData(text.slice(close + 2, end))) return undefined;
  const isImage = text[at - 1] === '!';
  const instead = isImage ? '' : text.slice(at + 1, close);
  return { id: 'outgoing_data', at: isImage ? at - 1 : at, end: end + 1, instead };
}

const placeholder =
  /[{}]|%7b|\$\{|<[a-z_ ]{2,40}>|\[[a-z_ ]{2,40}\]|(?:insert|your|user)[_-]?[a-z]{0,20}(?:here|data|secret|query|message|input)/i;
const dataName =
  /^(?:q|d|data|payload|content|secrets?|tokens?|msg|message|text|info|leak|exfil|conversation|history|prompt|context|keys?|stolen|log|summary|chat|password|email)$/i;
const maxValueLength = 200;

/** True for a placeholder for data in the query, or more data than an address needs. */
function carriesData(address: string): boolean {
  const query = address.indexOf('?');
  if (query < 0 || !/^(?:https?:)?\/\//i.test(address.trim())) return false;
  return address
    .slice(query + 1)
    .split('&')
    .some((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = [pair.slice(0, Math.max(0, equals)), pair.slice(equals + 1)];
      if (placeholder.test(value)) return true;
      if (value.length > maxValueLength) return true;
      return dataName.test(name) && (value === '' || isEncoded(value, minDataLength));
    });
}

const minDataLength = 40;
const minEncodedLength = 200;

function isEncoded(value: string, length: number): boolean {
  return findRun(value, length) >= 0;
}

/** Where a run of encoding characters with at least this length starts, or -1. */
function findRun(text: string, minLength: number, from = 0): number {
  for (let start = from; start + minLength <= text.length;) {
    // Read from its end, because one other character rules out every run across it.
    let at = start + minLength - 1;
    while (at >= start && encodingKind(text.charCodeAt(at)) > 0) at -= 1;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let [end, seen] = [start, 0];
    for (let kind = 1; kind > 0 && end < text.length; end += 1) {
      kind = encodingKind(text.charCodeAt(end));
      seen |= kind;
    }
    // Base64 has lower-case letters, capitals and digits. Hexadecimal has digits and only one of
    // the other two.
    if (seen >= 6) return start;
    start = end;
  }
  return -1;
}

/** 1: lower-case letter, 2: capital, 4: digit, 8: other Base64 character, 0: none of them. */
function encodingKind(code: number): number {
  if (code >= 97 && code <= 122) return 1;
  if (code >= 65 && code <= 90) return 2;
  if (code >= 48 && code <= 57) return 4;
  return code === 43 || code === 47 || code === 61 ? 8 : 0;
}

const notEncoded = /[^A-Za-z0-9+/=]/g;

export function findMarkup(text: string): Signal[] {
  const found: Signal[] = partsOf(text).map(({ id, at }) => ({ id, at, count: 1 }));
  for (let at = findRun(text, minEncodedLength); at >= 0;) {
    // An image embedded in the text, in the form that browsers use.
    if (!text.slice(Math.max(0, at - 8), at).includes('base64,')) {
      found.push({ id: 'encoded_data', at, count: 1 });
    }
    notEncoded.lastIndex = at;
    const end = notEncoded.exec(text)?.index ?? -1;
    at = end < 0 ? -1 : findRun(text, minEncodedLength, end);
  }
  return found;
}

/** Removes hidden elements and chat markup. Links that carry data are replaced by their text. */
export function removeMarkup(text: string): string {
  let [kept, from] = ['', 0];
  for (const { at, end, instead } of partsOf(text)) {
    kept += text.slice(from, at) + instead;
    from = end;
  }
  return kept + text.slice(from);
}
