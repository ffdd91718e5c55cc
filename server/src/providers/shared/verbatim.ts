// Cuts a vendor's own objects out of its answer as text, so that `raw` is exactly what was
// received.

/**
 * The texts of the elements under each place, or of the whole value if it is not an array, one
 * place after another. `body` is the same text, parsed. A place that it lacks is not searched for,
 * because a failed search would read the whole text.
 */
export function sliceItems(
  { text, body }: { text: string; body: unknown },
  places: readonly (readonly string[])[],
): string[] {
  const items: string[] = [];
  let before: { path: readonly string[]; end: number } | undefined;
  for (const path of places) {
    if (!hasValueAt(body, path)) continue;
    // A section usually follows the previous one, so the search can continue from there.
    const near = before && areBeside(path, before.path) ? nextMember(text, before.end) : -1;
    const beside = near < 0 ? -1 : findMember(text, near, String(path.at(-1)));
    const at = beside < 0 ? findPlace(text, path) : beside;
    before = { path, end: at < 0 ? text.length : cutItems(text, at, items) };
  }
  return items;
}

function areBeside(one: readonly string[], other: readonly string[]): boolean {
  return (
    one.length === other.length &&
    one.every((key, at) => key === other[at] || at === one.length - 1)
  );
}

function hasValueAt(body: unknown, path: readonly string[]): boolean {
  let value = body;
  for (const key of path) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value !== undefined && value !== null;
}

const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const openBracket = 91;
const closeBracket = 93;
const comma = 44;

/**
 * Adds the elements of the value at `start`, or the value itself if it is not an array. Returns its
 * end.
 */
function cutItems(text: string, start: number, items: string[]): number {
  if (text.charCodeAt(start) !== openBracket) {
    const end = skipValue(text, start);
    if (end > start) items.push(text.slice(start, end));
    return end;
  }
  let at = skipSpace(text, start + 1);
  while (at < text.length && text.charCodeAt(at) !== closeBracket) {
    const end = skipValue(text, at);
    if (end <= at) break;
    items.push(text.slice(at, end));
    at = nextMember(text, end);
  }
  return at + 1;
}

/** Where the value under `path` begins, or -1. */
function findPlace(text: string, path: readonly string[]): number {
  let at = skipSpace(text, 0);
  for (const key of path) {
    if (text.charCodeAt(at) !== openBrace) return -1;
    at = findMember(text, skipSpace(text, at + 1), key);
    if (at < 0) return -1;
  }
  return at;
}

/**
 * Where the value of `key` begins among the members of the object that starts at `start`, or -1.
 */
function findMember(text: string, start: number, key: string): number {
  const wanted = JSON.stringify(key);
  let at = start;
  while (at < text.length && text.charCodeAt(at) === quote) {
    const nameEnd = skipString(text, at);
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    if (nameEnd - at === wanted.length && text.startsWith(wanted, at)) return value;
    at = nextMember(text, skipValue(text, value));
  }
  return -1;
}

/** The position after the comma that follows a member or an element. */
function nextMember(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text.charCodeAt(at) === comma ? skipSpace(text, at + 1) : at;
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return skipString(text, start);
  if (first === openBrace || first === openBracket) return skipNested(text, start);
  let at = start;
  while (at < text.length && !isBoundary(text.charCodeAt(at))) at += 1;
  return at;
}

function skipNested(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = skipString(text, at);
      continue;
    }
    at += 1;
    if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return at;
}

/** Long texts are skipped with the engine's own text search, which makes this cheap. */
function skipString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

function isBoundary(code: number): boolean {
  return code <= 32 || code === comma || code === closeBrace || code === closeBracket;
}
