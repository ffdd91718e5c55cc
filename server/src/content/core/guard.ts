// Applies a content mode to the items of an answer: `annotate` names what was found, `clean`
// removes what is not shown or would carry data out, and `block` removes the item. A text that was
// not checked cannot be cleaned, so `clean` removes its item as well.
import type { ContentMode, Warning } from '@trivium/contract';
import { pathOf, withTexts } from './places.ts';
import type { Place } from './places.ts';
import { isUnchecked, type ScannedText } from './scan-texts.ts';
import { signalReasons } from './signals.ts';
import type { Signal } from './signals.ts';

interface Guarded<T> {
  kept: T[];
  /** The positions of the removed items, and why they were removed. */
  blocked: ReadonlyMap<number, string>;
  warnings: Warning[];
}

/**
 * `scanned` contains what was found in the text at each place. The items themselves are not
 * changed.
 */
export function guard<T extends object>(
  items: readonly T[],
  places: readonly Place<T>[],
  scanned: readonly ScannedText[],
  mode: ContentMode,
): Guarded<T> {
  const flagged = places.flatMap((place, at) => {
    const { signals = [], cleaned } = scanned[at] ?? {};
    return signals.length === 0 ? [] : [{ place, signals, cleaned }];
  });
  if (flagged.length === 0) return { kept: [...items], blocked: new Map(), warnings: [] };
  const isRemoved = ({ signals }: (typeof flagged)[number]) =>
    mode === 'block' || (mode === 'clean' && isUnchecked(signals));
  const found = Map.groupBy(flagged.filter(isRemoved), ({ place }) => place.index);
  const blocked = new Map(
    [...found].map(([index, all]) => [index, describe(all.flatMap(({ signals }) => signals))]),
  );
  const left = flagged.filter(({ place }) => !blocked.has(place.index));
  const positions = items.keys().filter((index) => !blocked.has(index));
  const newPosition = new Map([...positions].map((index, at) => [index, at]));
  const warnings = left.map(({ place, signals }): Warning => {
    const param = pathOf({ ...place, index: newPosition.get(place.index) ?? place.index });
    return { code: 'content_flagged', param, message: describeIn(signals, mode) };
  });
  const changes = left.flatMap(({ place, cleaned }) =>
    // An address stays as the provider returned it.
    cleaned === undefined || place.field.endsWith('url') ? [] : [{ place, text: cleaned }],
  );
  const kept = withTexts(items, changes).filter((_, index) => !blocked.has(index));
  return { kept, blocked, warnings };
}

/** One warning for each removed item. */
export function blockedWarnings(blocked: ReadonlyMap<number, string>, of: number): Warning[] {
  return [...blocked].map(([index, reason]) => ({
    code: 'content_flagged',
    message: `Result ${index + 1} of ${of} was removed: ${reason}.`,
  }));
}

/** Never repeats the text, because the reader may be a model. */
export function describe(signals: readonly Signal[]): string {
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
  return `${describe(signals)}.${done}`;
}

/** What a cleaned text may still contain. */
const stays = new Set<string>(['instruction', 'lookalike_host', 'encoded_data', 'not_checked']);
