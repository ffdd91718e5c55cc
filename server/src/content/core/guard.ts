// Applies a content mode to the texts in the items of an answer: `annotate` names what was found,
// `clean` removes what is not shown or would carry data out, and `block` removes the item. A text that
// was not checked cannot be cleaned, so `clean` removes its item as well.
import type { ContentMode, Warning } from '@trivium/contract';
import { type ScannedText, isUnchecked } from './scan.ts';
import { type Signal, signalReasons } from './signals.ts';

export interface Guarded<T> {
  items: T[];
  /** The positions of the removed items, and why they were removed. */
  blocked: ReadonlyMap<number, string>;
  warnings: Warning[];
}

/** `scanned`: what was found at each place. The items themselves are not changed. */
export function guard<T extends object>(
  items: readonly T[],
  places: readonly TextPlace<T>[],
  scanned: readonly ScannedText[],
  mode: ContentMode,
): Guarded<T> {
  const flagged = places.flatMap((place, at) => {
    const { signals = [], cleaned } = scanned[at] ?? {};
    return signals.length === 0 ? [] : [{ place, signals, cleaned }];
  });
  if (flagged.length === 0) return { items: [...items], blocked: new Map(), warnings: [] };
  const isRemoved = ({ signals }: (typeof flagged)[number]) =>
    mode === 'block' || (mode === 'clean' && isUnchecked(signals));
  const found = Map.groupBy(flagged.filter(isRemoved), ({ place }) => place.index);
  const blocked = new Map(
    [...found].map(([index, all]) => [
      index,
      describeSignals(all.flatMap(({ signals }) => signals)),
    ]),
  );
  const left = flagged.filter(({ place }) => !blocked.has(place.index));
  const positions = items.keys().filter((index) => !blocked.has(index));
  const newPosition = new Map([...positions].map((index, at) => [index, at]));
  const warnings = left.map(({ place, signals }): Warning => {
    const param = pathInResults({ ...place, index: newPosition.get(place.index) ?? place.index });
    return { code: 'content_flagged', param, message: describeIn(signals, mode) };
  });
  const changes = left.flatMap(({ place, cleaned }) =>
    // An address stays as the provider returned it.
    cleaned === undefined || place.field.endsWith('url') ? [] : [{ place, text: cleaned }],
  );
  const remaining = withTexts(items, changes).filter((_, index) => !blocked.has(index));
  return { items: remaining, blocked, warnings };
}

/** One warning for each removed item. */
export function blockedWarnings(blocked: ReadonlyMap<number, string>, of: number): Warning[] {
  return [...blocked].map(([index, reason]) => ({
    code: 'content_flagged',
    message: `Result ${index + 1} of ${of} was removed: ${reason}.`,
  }));
}

/** Never repeats the text, because the reader may be a model. */
export function describeSignals(signals: readonly Signal[]): string {
  return signals
    .map(({ id, at, count }) => {
      const times = count > 1 ? `, ${count} times` : '';
      return `${id} at ${at}${times} (${signalReasons[id]})`;
    })
    .join('; ');
}

/** Includes what the mode removed. */
export function describeIn(signals: readonly Signal[], mode: ContentMode): string {
  const removed = signals.filter(({ id }) => !stays.has(id)).map(({ id }) => id);
  const done = mode === 'clean' && removed.length > 0 ? ` Removed: ${removed.join(', ')}.` : '';
  return `${describeSignals(signals)}.${done}`;
}

/** What a cleaned text may still contain. */
const stays = new Set<string>(['instruction', 'lookalike_host', 'encoded_data', 'not_checked']);

type Text = string | readonly string[] | null | undefined;

/** One text of an item. `at` is its position in a list of texts. */
interface TextPlace<T> {
  index: number;
  field: keyof T & string;
  at: number | undefined;
  text: string;
}

export function textPlaces<T extends object>(
  items: readonly T[],
  fields: readonly (keyof T & string)[],
): TextPlace<T>[] {
  return items.flatMap((item, index) =>
    fields.flatMap((field): TextPlace<T>[] => {
      const value = item[field] as Text;
      if (value === undefined || value === null) return [];
      if (typeof value === 'string') return [{ index, field, at: undefined, text: value }];
      return value.map((text, at) => ({ index, field, at, text }));
    }),
  );
}

/** The path of the text in the answer. */
export function pathInResults<T>({ index, field, at }: TextPlace<T>): string {
  return `results[${index}].${field}${at === undefined ? '' : `[${at}]`}`;
}

/** The items with these texts. The given items are not changed. */
export function withTexts<T extends object>(
  items: readonly T[],
  changes: readonly { place: TextPlace<T>; text: string }[],
): T[] {
  const changed = [...items];
  /** Each item and each list is copied only once. */
  const own = new Set<object>();
  const owned = <Value extends object>(value: Value, copy: (value: Value) => Value): Value => {
    if (own.has(value)) return value;
    const made = copy(value);
    own.add(made);
    return made;
  };
  for (const { place, text } of changes) {
    const before = changed[place.index];
    if (!before) continue;
    const item = owned(before, (value) => ({ ...value }));
    changed[place.index] = item;
    const { field, at } = place;
    if (at === undefined) {
      Object.assign(item, { [field]: text });
      continue;
    }
    const list = owned(item[field] as string[], (value) => [...value]);
    list[at] = text;
    Object.assign(item, { [field]: list });
  }
  return changed;
}
