// Reads a vendor's answer even if some of its items cannot be read. Those items are found one by
// one, left out and counted, so that they don't affect the others.
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
    const value = place.reduce<unknown>(
      (inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key],
      body,
    );
    if (value === undefined || value === null) continue;
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
