// The items of a vendor's answer. Those that cannot be read are found one by one, left out and
// counted, so that they don't affect the others. Each item is cut out of the answer as text, so that
// `raw` is exactly what was received.
import type { Warning } from '@trivium/contract';
import { z } from 'zod';

/** An answer that does not match what the vendor documents. */
export class UnreadableAnswer extends Error {}

/** False for any other error, which is a defect of the adapter. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof UnreadableAnswer || error instanceof z.core.$ZodError;
}

export interface ReadAnswer<T> {
  value: T;
  /** How many items were left out, and how many there were. */
  leftOut: number;
  of: number;
  /** The position of an item in the answer, given its position among the items that were read. */
  originalItem: (reply: number, item: number) => number;
  /** What the adapter threw for an item that it should have been able to read. */
  defect?: unknown;
}

type Place = readonly string[];

/**
 * Throws if the answer as a whole cannot be read: it is invalid even without its items, or none of
 * the items is readable. `places` are where the vendor's objects are, in the order in which they
 * are counted.
 */
export function readAnswer<T, P = undefined>(
  bodies: readonly unknown[],
  places: readonly Place[],
  read: (bodies: readonly unknown[], plan: P) => T,
  plan?: P,
): ReadAnswer<T> {
  const attempt = makeAttempts();
  const whole = attempt.run(() => read(bodies, plan as P));
  if (whole) return { ...whole, leftOut: 0, of: 0, originalItem: (_reply, item) => item };
  const lists = bodies.flatMap((body, reply) => listsIn(body, [String(reply)]));
  const of = lists.reduce((sum, { items }) => sum + items.length, 0);
  if (of === 0 || of > maxItems) throw attempt.failure();
  const empty = lists.reduce((root, { path }) => withValue(root, path, []), {
    ...bodies,
  } as unknown);
  const readRoot = (root: unknown) => read(Object.values(root as object), plan as P);
  const isReadable = (path: Place, item: unknown) =>
    attempt.run(() => readRoot(withValue(empty, path, [item]))) !== undefined;
  const kept = lists.map(({ path, items }) => ({
    path,
    at: [...items.keys()].filter((index) => isReadable(path, items[index])),
    items,
  }));
  const count = kept.reduce((sum, { at }) => sum + at.length, 0);
  if (count === 0) throw attempt.failure();
  const root = kept.reduce(
    (made, { path, at, items }) =>
      withValue(
        made,
        path,
        at.map((index) => items[index]),
      ),
    empty,
  );
  const rest = attempt.run(() => readRoot(root));
  if (!rest) throw attempt.failure();
  const originals = bodies.map((body, reply) => originalItems(body, reply, places, kept));
  return {
    ...rest,
    ...attempt.defect(),
    leftOut: of - count,
    of,
    originalItem: (reply, item) => originals[reply]?.[item] ?? item,
  };
}

/** No request asks for this many. A longer answer is not searched for the unreadable items. */
const maxItems = 1000;
/** Lists are at the top of an answer or inside one of its sections. */
const deepestList = 3;

/** Remembers the first error that is a defect of the adapter. */
function makeAttempts() {
  let defect: { defect: unknown } | undefined;
  return {
    run: <T>(work: () => T): { value: T } | undefined => {
      try {
        return { value: work() };
      } catch (error) {
        if (!isUnreadable(error)) defect ??= { defect: error };
        return undefined;
      }
    },
    defect: () => defect,
    failure: () => (defect ? defect.defect : new UnreadableAnswer()),
  };
}

interface List {
  path: Place;
  items: readonly unknown[];
}

function listsIn(value: unknown, path: Place): List[] {
  if (Array.isArray(value)) return [{ path, items: value }];
  if (typeof value !== 'object' || value === null || path.length > deepestList) return [];
  return Object.entries(value).flatMap(([key, inner]) => listsIn(inner, [...path, key]));
}

/** A copy with another value in one place. Everything else is shared. */
function withValue(root: unknown, [key, ...rest]: Place, value: unknown): unknown {
  if (key === undefined) return value;
  const object = root as Record<string, unknown>;
  return { ...object, [key]: withValue(object[key], rest, value) };
}

function originalItems(
  body: unknown,
  reply: number,
  places: readonly Place[],
  kept: readonly { path: Place; at: readonly number[] }[],
): number[] {
  const found: number[] = [];
  let before = 0;
  for (const place of places) {
    const value = valueIn(body, place);
    if (value === undefined) continue;
    const path = [String(reply), ...place].join('.');
    const list = kept.find((one) => one.path.join('.') === path);
    for (const at of list?.at ?? [0]) found.push(before + at);
    before += Array.isArray(value) ? value.length : 1;
  }
  return found;
}

/** The warning about the items of an answer that could not be read. */
export function leftOutWarning(leftOut: number, of: number): Warning[] {
  if (leftOut === 0) return [];
  const which = `${leftOut} of ${of} items of the provider's answer`;
  const message = `${which} could not be read and were left out.`;
  return [{ code: 'results_post_filtered', message }];
}

/**
 * The texts of the elements under each place, or of the whole value if it is not an array, one
 * place after another. `body` is the same text, parsed. A place that it lacks is not searched for,
 * because a failed search would read the whole text.
 */
export function sliceItems(
  { text, body }: { text: string; body: unknown },
  places: readonly Place[],
): string[] {
  const items: string[] = [];
  let before: { path: Place; end: number } | undefined;
  for (const path of places) {
    if (valueIn(body, path) === undefined) continue;
    // A section usually follows the previous one, so the search can continue from there.
    const near = before && areBeside(path, before.path) ? nextMember(text, before.end) : -1;
    const beside = near < 0 ? -1 : findMember(text, near, String(path.at(-1)));
    const at = beside < 0 ? findPlace(text, path) : beside;
    before = { path, end: at < 0 ? text.length : cutItems(text, at, items) };
  }
  return items;
}

function areBeside(one: Place, other: Place): boolean {
  return (
    one.length === other.length &&
    one.every((key, at) => key === other[at] || at === one.length - 1)
  );
}

/** Undefined also for null. */
export function valueIn(body: unknown, path: Place): unknown {
  let value = body;
  for (const key of path) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value ?? undefined;
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
function findPlace(text: string, path: Place): number {
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
