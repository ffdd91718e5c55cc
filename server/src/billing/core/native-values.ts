// Reads native options for pricing. A caller may send any JSON there. Each reader returns a value
// that can be priced; an unreadable one counts as the most expensive that the vendor documents.

/** Stands for an option inside a value that is not an object. */
const unreadable = Symbol('unreadable');

/**
 * The value at a path such as `contents.subpages`, own properties only. Undefined when it is absent
 * or null, which every vendor treats as absent.
 */
export function valueAt(source: unknown, path: string): unknown {
  let value = source;
  for (const name of namesIn(path)) {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'object' || Array.isArray(value)) return unreadable;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value ?? undefined;
}

/** The paths are those of the price rules, so there are few. */
const knownPaths = new Map<string, readonly string[]>();

function namesIn(path: string): readonly string[] {
  const known = knownPaths.get(path);
  if (known) return known;
  const names = path.split('.');
  knownPaths.set(path, names);
  return names;
}

interface CountBounds {
  /** The vendor's default. */
  absent: number;
  /** The documented bounds; `least` is 1 by default. */
  least?: number;
  most: number;
}

/** A count as the vendor will read it; in a query string it is digits. */
export function readCount(value: unknown, { absent, least = 1, most }: CountBounds): number {
  if (value === undefined) return absent;
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count)) return most;
  return count < least || count > most ? most : count;
}

/** Whether an option enables a feature that costs extra; only absent and false do not. */
export function isOn(value: unknown): boolean {
  return value !== undefined && value !== false;
}

/** The known name that the value equals; undefined for any other value. */
export function readName<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => name === value);
}
