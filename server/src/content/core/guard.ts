// Applies a content mode to the items of an answer: `annotate` names what was found, `clean`
// removes what is not shown or would carry data out, and `block` removes the item.
import type { ContentMode, Warning } from '@trivium/contract';
import { pathOf, withTexts } from './places.ts';
import type { Place } from './places.ts';
import type { ScannedText } from './scan-texts.ts';
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
  if (mode === 'block') {
    const found = Map.groupBy(flagged, ({ place }) => place.index);
    const blocked = new Map(
      [...found].map(([index, all]) => [index, describe(all.flatMap(({ signals }) => signals))]),
    );
    return { kept: items.filter((_, index) => !blocked.has(index)), blocked, warnings: [] };
  }
  const warnings = flagged.map(({ place, signals }): Warning => {
    const message = describeIn(signals, mode);
    return { code: 'content_flagged', param: pathOf(place), message };
  });
  const changes = flagged.flatMap(({ place, cleaned }) =>
    // An address stays as the provider returned it.
    cleaned === undefined || place.field.endsWith('url') ? [] : [{ place, text: cleaned }],
  );
  return { kept: withTexts(items, changes), blocked: new Map(), warnings };
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
const stays = new Set<string>(['instruction', 'lookalike_host', 'encoded_data']);
