// Applies a content mode to the items of an answer: annotate names what was found, clean removes
// what is not shown or would carry data out, block removes the item.
import type { ContentMode, Warning } from '@trivium/contract';
import { clean, scan } from './scan.ts';
import { signalReasons } from './signals.ts';
import type { Signal } from './signals.ts';

type Text = string | readonly string[] | undefined;

interface Guarded<T> {
  kept: T[];
  /** The positions of those that were removed, and why. */
  blocked: ReadonlyMap<number, string>;
  warnings: Warning[];
}

/** `fields` are the foreign texts of an item; the item itself is not changed. */
export function guard<T extends object>(
  items: readonly T[],
  fields: readonly (keyof T & string)[],
  mode: ContentMode,
): Guarded<T> {
  const kept: T[] = [];
  const blocked = new Map<number, string>();
  const warnings: Warning[] = [];
  for (const [index, item] of items.entries()) {
    const found = fields.flatMap((field) => scanField(field, item[field] as Text));
    if (found.length > 0 && mode === 'block') {
      blocked.set(index, describe(found.flatMap(({ signals }) => signals)));
      continue;
    }
    const place = `results[${kept.length}]`;
    for (const { path, signals } of found) {
      const done = mode === 'clean' ? cleaned(signals) : '';
      warnings.push({
        code: 'content_flagged',
        param: `${place}.${path}`,
        message: `${describe(signals)}.${done}`,
      });
    }
    kept.push(found.length > 0 && mode === 'clean' ? cleanFields(item, fields) : item);
  }
  return { kept, blocked, warnings };
}

/** One warning for each removed item. */
export function blockedWarnings(blocked: ReadonlyMap<number, string>, of: number): Warning[] {
  return [...blocked].map(([index, reason]) => ({
    code: 'content_flagged',
    message: `Result ${index + 1} of ${of} was removed: ${reason}.`,
  }));
}

interface FieldSignals {
  path: string;
  signals: Signal[];
}

function scanField(field: string, value: Text): FieldSignals[] {
  if (value === undefined || value === null) return [];
  const texts = typeof value === 'string' ? [value] : value;
  return texts.flatMap((text, at) => {
    const signals = scan(text);
    const path = typeof value === 'string' ? field : `${field}[${at}]`;
    return signals.length === 0 ? [] : [{ path, signals }];
  });
}

/** Never repeats the text, whose reader may be a model. */
function describe(signals: readonly Signal[]): string {
  return signals
    .map(({ id, at, count }) => {
      const times = count > 1 ? `, ${count} times` : '';
      return `${id} at ${at}${times} (${signalReasons[id]})`;
    })
    .join('; ');
}

/** What a clean text still has. */
const stays = new Set<string>(['instruction', 'lookalike_host', 'encoded_data']);

function cleaned(signals: readonly Signal[]): string {
  const removed = signals.filter(({ id }) => !stays.has(id)).map(({ id }) => id);
  return removed.length === 0 ? '' : ` Removed: ${removed.join(', ')}.`;
}

function cleanFields<T extends object>(item: T, fields: readonly (keyof T & string)[]): T {
  const changes = fields.flatMap((field) => {
    const value = item[field] as Text;
    // An address stays the one that the provider named.
    if (value === undefined || value === null || field.endsWith('url')) return [];
    return [[field, typeof value === 'string' ? clean(value) : value.map(clean)]];
  });
  return { ...item, ...(Object.fromEntries(changes) as Partial<T>) };
}
