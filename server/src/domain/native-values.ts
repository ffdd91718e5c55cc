// Reads native options for pricing. A caller may write any JSON there, so each reader answers with
// a figure that can be priced, and takes what it cannot read for the dearest the vendor documents.

/** Stands for an option inside something that is not an object: there, but not to be read. */
export const unreadable = Symbol('unreadable');

/**
 * The value at a path such as `contents.subpages`, own properties only; undefined where it is
 * absent or null, which every vendor takes for absent.
 */
export function valueAt(source: unknown, path: string): unknown {
  let value = source;
  for (const name of path.split('.')) {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'object' || Array.isArray(value)) return unreadable;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return value ?? undefined;
}

export interface CountBounds {
  /** What the vendor takes when the option is absent. */
  absent: number;
  /** The documented bounds; 1 is the least unless told. */
  least?: number;
  most: number;
}

/** A count as the vendor will read it; in a query string it is a text of digits. */
export function readCount(value: unknown, { absent, least = 1, most }: CountBounds): number {
  if (value === undefined) return absent;
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof count !== 'number' || !Number.isSafeInteger(count)) return most;
  return count < least || count > most ? most : count;
}

/** Whether an option switches on something that costs extra; only absent and false do not. */
export function isOn(value: unknown): boolean {
  return value !== undefined && value !== false;
}

/** Which of the known names is given; undefined for any other value. */
export function readName<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => name === value);
}
