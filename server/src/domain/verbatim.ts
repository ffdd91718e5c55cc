// Cuts a vendor's own objects out of its answer as text, so that `raw` is what was received, byte
// for byte.

/**
 * The texts of the elements under several places, one after another. `body` is the same text
 * parsed: a place it lacks is not looked for, since to miss it the whole text has to be read.
 */
export function sliceAll(
  { text, body }: { text: string; body: unknown },
  places: readonly (readonly string[])[],
): string[] {
  return places.flatMap((path) => (isThere(body, path) ? sliceItems(text, path) : []));
}

function isThere(body: unknown, path: readonly string[]): boolean {
  let value = body;
  for (const key of path) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value !== undefined && value !== null;
}

/**
 * The texts of the elements under `path` (of the whole, when it is no array); empty when there is
 * no such place.
 */
export function sliceItems(text: string, path: readonly string[]): string[] {
  let at = skipSpace(text, 0);
  for (const key of path) {
    at = findKey(text, at, key);
    if (at < 0) return [];
  }
  if (text.charCodeAt(at) === open_bracket) return elements(text, at);
  const end = skipValue(text, at);
  return end > at ? [text.slice(at, end)] : [];
}

const quote = 34;
const backslash = 92;
const open_brace = 123;
const close_brace = 125;
const open_bracket = 91;
const close_bracket = 93;
const comma = 44;

function elements(text: string, start: number): string[] {
  const found: string[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text.charCodeAt(at) !== close_bracket) {
    const end = skipValue(text, at);
    if (end <= at) break;
    found.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
  return found;
}

/** Where the value of `key` begins in the object at `start`, or -1. */
function findKey(text: string, start: number, key: string): number {
  if (text.charCodeAt(start) !== open_brace) return -1;
  const wanted = JSON.stringify(key);
  let at = skipSpace(text, start + 1);
  while (at < text.length && text.charCodeAt(at) === quote) {
    const name_end = skipString(text, at);
    const value = skipSpace(text, skipSpace(text, name_end) + 1);
    if (name_end - at === wanted.length && text.startsWith(wanted, at)) return value;
    at = skipSpace(text, skipValue(text, value));
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1);
  }
  return -1;
}

function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return skipString(text, start);
  if (first === open_brace || first === open_bracket) return skipNested(text, start);
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
    if (code === open_brace || code === open_bracket) depth += 1;
    else if (code === close_brace || code === close_bracket) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return at;
}

/** Long texts are skipped by the engine's own search, which is what makes this cheap. */
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
  return code <= 32 || code === comma || code === close_brace || code === close_bracket;
}
