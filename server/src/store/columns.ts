// Reads the columns of a row. The engines return whole numbers in different types. The threads of
// the store use this file, so it has its own checks and loads no schemas.

/**
 * Reads JSON from the store, which another version of the gateway or a person may have written. The
 * error names it by `what`. `read` throws if the value is not as expected.
 */
export function readJson<T>(
  what: string | (() => string),
  read: (value: unknown) => T,
  text: unknown,
): T {
  try {
    return read(JSON.parse(String(text)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const name = typeof what === 'string' ? what : what();
    throw new Error(`${name} in the store cannot be read: ${reason}`, { cause: error });
  }
}

type Check = (value: unknown) => boolean;

const isObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const is = {
  text: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  boolean: (value: unknown) => typeof value === 'boolean',
  object: isObject,
  listOf:
    (isItem: Check): Check =>
    (value) =>
      Array.isArray(value) && value.every(isItem),
  absentOr:
    (check: Check): Check =>
    (value) =>
      value === undefined || check(value),
  nullOr:
    (check: Check): Check =>
    (value) =>
      value === null || check(value),
  /** Every field of the type is checked. Fields of a newer version are kept. */
  shape: <T>(checks: Readonly<Record<keyof T, Check>>) => {
    const all = Object.entries<Check>(checks);
    return (value: unknown): value is T =>
      isObject(value) &&
      all.every(([name, check]) => check((value as Record<string, unknown>)[name]));
  },
};
