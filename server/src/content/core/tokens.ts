// Reads a text as HTML and as Markdown at once, in one pass: tags, comments, links and definitions
// of links. Every character is read a fixed number of times, whatever the text is: what was read is
// never read again with another meaning.

export interface Tag {
  kind: 'tag';
  at: number;
  end: number;
  /** In lower case. */
  name: string;
  isClosing: boolean;
  /** True within a quoted attribute of another tag, which only some readers of HTML see. */
  isQuoted: boolean;
  attributes: ReadonlyMap<string, string>;
}

export type MarkupToken =
  | Tag
  | { kind: 'comment'; at: number; end: number; isQuoted: boolean }
  | { kind: 'link'; at: number; end: number; textEnd: number; isImage: boolean; address: string }
  | { kind: 'definition' | 'autolink'; at: number; end: number; address: string }
  /** A definition that defines nothing, which is used as a comment. */
  | { kind: 'note'; at: number; end: number };

const mark = /[<[\]\\]/g;
const space = /[\s/]*/y;
const attributeName = /=?[^\s/>=<]*/y;
const equals = /\s*=\s*/y;
const unquoted = /[^\s><]*/y;
const tagName = /<\/?[a-z][^\s/><]*/iy;
const autolink = /<(?:(?:https?|wss?|ftp):|mailto:)[^\s<>]*>/iy;
/** Declarations and instructions that pages about HTML, XML and PHP show. */
const ordinaryDeclaration = /<!(?:doctype|entity|element|attlist|notation)\b|<\?(?:xml|php|=)/iy;
const bogusComment = /<(?:[!?]|\/[^a-z>])/iy;

/** A text, and what was read of it so far. */
interface Source {
  text: string;
  tokens: MarkupToken[];
  /** How many characters were read, to test that the work is linear. */
  steps: number;
  /** Brackets that are not closed yet. */
  brackets: number[];
  /** Where each text that was looked for occurs next, and from where on that holds. */
  found: Map<string, { from: number; at: number }>;
  /** The end of the last tag. Tags before it are in its attributes. */
  tagEnd: number;
}

export function tokenize(text: string): Pick<Source, 'tokens' | 'steps'> {
  const source: Source = { text, tokens: [], steps: 0, brackets: [], found: new Map(), tagEnd: 0 };
  let at = nextMatch(source, mark, 0);
  while (at >= 0) at = nextMatch(source, mark, Math.max(at + 1, readAt(source, at)));
  return source;
}

function nextMatch(source: Source, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  const at = pattern.exec(source.text)?.index ?? -1;
  source.steps += (at < 0 ? source.text.length : at) - from + 1;
  return at;
}

/** The end of what matches here. */
function skip(source: Source, pattern: RegExp, at: number): number {
  pattern.lastIndex = at;
  const end = pattern.test(source.text) ? pattern.lastIndex : at;
  source.steps += end - at + 1;
  return end;
}

/** Where the text occurs next, or -1. No place is searched twice for the same text. */
function find(source: Source, wanted: string, from: number): number {
  const known = source.found.get(wanted);
  if (known && from >= known.from && (known.at < 0 || from <= known.at)) return known.at;
  const at = source.text.indexOf(wanted, from);
  source.found.set(wanted, { from, at });
  source.steps += (at < 0 ? source.text.length : at) - from + 1;
  return at;
}

/** Adds the tokens that start here. Returns where to go on. */
function readAt(source: Source, at: number): number {
  const one = source.text[at];
  if (one === '\\') return source.text[at + 1] === '<' ? at + 1 : at + 2;
  if (one === '[') {
    source.brackets.push(at);
    return at + 1;
  }
  return one === ']' ? readLink(source, at) : readElement(source, at);
}

function readElement(source: Source, at: number): number {
  const isQuoted = at < source.tagEnd;
  if (source.text.startsWith('<!--', at)) return readComment(source, at, isQuoted);
  const link = skip(source, autolink, at);
  if (link > at) {
    const address = source.text.slice(at + 1, link).replace(/>$/, '');
    source.tokens.push({ kind: 'autolink', at, end: link, address });
    return link;
  }
  const nameEnd = skip(source, tagName, at);
  if (nameEnd > at) return readTag(source, at, nameEnd, isQuoted);
  if (skip(source, bogusComment, at) === at || skip(source, ordinaryDeclaration, at) > at) {
    return at + 1;
  }
  const mark = source.text.startsWith('<![CDATA[', at) ? ']]>' : '>';
  const end = find(source, mark, at);
  if (end < 0) return at + 1;
  source.tokens.push({ kind: 'comment', at, end: end + mark.length, isQuoted });
  return end + mark.length;
}

function readComment(source: Source, at: number, isQuoted: boolean): number {
  const empty = skip(source, /<!--(?:-?>)/y, at);
  const end = empty > at ? empty : endOfComment(source, at + 4);
  source.tokens.push({ kind: 'comment', at, end, isQuoted });
  return end;
}

/** A comment without an end contains the rest of the text. */
function endOfComment(source: Source, from: number): number {
  const [one, other] = [find(source, '-->', from), find(source, '--!>', from)];
  if (one < 0 && other < 0) return source.text.length;
  return other < 0 || (one >= 0 && one < other) ? one + 3 : other + 4;
}

/**
 * A tag ends at its bracket, or at the next tag. Within the attributes of another tag it ends
 * there in any case, so that no character is in more than two tags.
 */
function readTag(source: Source, at: number, nameEnd: number, isQuoted: boolean): number {
  const isClosing = source.text[at + 1] === '/';
  const name = source.text.slice(at + (isClosing ? 2 : 1), nameEnd).toLowerCase();
  const attributes = new Map<string, string>();
  const stop = isQuoted ? skip(source, /[^<>]*/y, nameEnd) : source.text.length;
  let end = skip(source, space, nameEnd);
  while (end < stop && source.text[end] !== '>' && source.text[end] !== '<') {
    end = readAttribute(source, end, stop, attributes);
  }
  end = Math.min(end, stop);
  if (source.text[end] === '>') end += 1;
  if (!isQuoted) source.tagEnd = end;
  source.tokens.push({ kind: 'tag', at, end, name, isClosing, isQuoted, attributes });
  return nameEnd;
}

function readAttribute(
  source: Source,
  at: number,
  stop: number,
  attributes: Map<string, string>,
): number {
  const nameEnd = Math.max(at + 1, skip(source, attributeName, at));
  const valueAt = skip(source, equals, nameEnd);
  const name = source.text.slice(at, nameEnd).toLowerCase();
  let [from, to, end] = [nameEnd, nameEnd, nameEnd];
  if (valueAt > nameEnd) {
    const quote = source.text[valueAt] ?? '';
    const isString = quote === '"' || quote === "'";
    const close = isString ? find(source, quote, valueAt + 1) : -1;
    from = isString ? valueAt + 1 : valueAt;
    to = isString && close >= 0 ? Math.min(close, stop) : skip(source, unquoted, from);
    end = isString && close >= 0 ? to + 1 : to;
  }
  // The first of the same name counts.
  if (!attributes.has(name)) {
    attributes.set(name, source.text.slice(from, Math.min(to, stop)));
  }
  return skip(source, space, end);
}

/** The text in brackets and the address in parentheses behind it, or a definition. */
function readLink(source: Source, at: number): number {
  const open = source.brackets.pop();
  const next = source.text[at + 1];
  if (open === undefined) return at + 1;
  if (next === ':') return readDefinition(source, open, at);
  if (next !== '(') return at + 1;
  const { address, end } = readAddress(source, at + 2);
  const isImage = source.text[open - 1] === '!';
  const from = isImage ? open - 1 : open;
  source.tokens.push({ kind: 'link', at: from, end, textEnd: at, isImage, address });
  return at + 1;
}

/** Up to the closing parenthesis, or the end of the line, or the next link. */
function readAddress(source: Source, from: number): { address: string; end: number } {
  const start = skip(source, /\s*/y, from);
  const bracketed = skip(source, /<[^<>\n]*>/y, start);
  let [at, depth] = [bracketed, 0];
  for (; at < source.text.length; at += 1) {
    const one = source.text[at];
    if (one === '\n' || (one === ']' && source.text[at + 1] === '(')) break;
    if (one === ')' && depth === 0) break;
    if (one === '(') depth += 1;
    if (one === ')') depth -= 1;
    if (one === '\\') at += 1;
  }
  source.steps += at - start;
  const end = source.text[at] === ')' ? at + 1 : Math.min(at, source.text.length);
  if (bracketed > start) return { address: source.text.slice(start + 1, bracketed - 1), end };
  const withTitle = source.text.slice(start, at);
  const title = withTitle.search(/\s["'(]/);
  return { address: title < 0 ? withTitle : withTitle.slice(0, title), end };
}

function readDefinition(source: Source, open: number, at: number): number {
  if (!/(?:^|[\n\r])[ \t>]*$/.test(source.text.slice(Math.max(0, open - 9), open))) return at + 1;
  const start = skip(source, /\s*/y, at + 2);
  const bracketed = skip(source, /<[^<>\n]*>/y, start);
  const end = bracketed > start ? bracketed : skip(source, /\S*/y, start);
  const titleEnd = skip(source, /[ \t]+(?:"[^"]*"|'[^']*'|\([^)]*\))/y, end);
  const address = source.text.slice(start, end).replace(/^<(.*)>$/, '$1');
  const isNote = titleEnd > end && (address === '' || address === '#');
  source.tokens.push(
    isNote
      ? { kind: 'note', at: open, end: titleEnd }
      : { kind: 'definition', at: open, end: titleEnd, address },
  );
  return isNote ? titleEnd : at + 1;
}
