// Statements over many rows, padded to powers of two so that only a few texts are built and
// prepared.
import type { Value } from './database.ts';

type ColumnType = 'text' | 'bigint';

/** The arguments of `Runner.run`. */
type Statement = [text: string, values: Value[]];

/**
 * A statement over a table `v` of values, built once for each length. Rows of nulls are padding,
 * see `store/table.ts`.
 */
export function valuesStatement(
  types: Readonly<Record<string, ColumnType>>,
  statement: string,
): (rows: readonly (readonly Value[])[]) => Statement {
  const columns = Object.entries(types);
  const names = columns.map(([name]) => name).join(', ');
  const textFor = memoize(
    (length) => `with v(${names}) as (${valuesText(columns, length)}) ${statement}`,
  );
  return (rows) => {
    const length = paddedLength(rows.length);
    const values: Value[] = [];
    for (const row of rows) for (const value of row) values.push(value);
    for (let left = (length - rows.length) * columns.length; left > 0; left -= 1) values.push(null);
    return [textFor(length), values];
  };
}

/** A statement over a list of ids. Their placeholders follow those of the values in `first`. */
export function idStatement(
  write: (places: string) => string,
): (ids: readonly string[], ...first: Value[]) => Statement {
  const textFor = memoize((length, from) => write(placesText(length, from)));
  return (ids, ...first) => {
    const length = paddedLength(ids.length);
    const values: Value[] = [...first, ...ids];
    // Padding repeats the last id, which matches no additional row.
    for (let left = length - ids.length; left > 0; left -= 1) values.push(ids.at(-1) ?? null);
    return [textFor(length, first.length + 1), values];
  };
}

/** The same with a lock clause, which differs between the engines. */
export function lockedIds(write: (places: string, lock: string) => string) {
  const statements = new Map<string, ReturnType<typeof idStatement>>();
  return (lock: string) => {
    const known = statements.get(lock) ?? idStatement((places) => write(places, lock));
    statements.set(lock, known);
    return known;
  };
}

function memoize(
  write: (length: number, from: number) => string,
): (length: number, from?: number) => string {
  const texts = new Map<number, string>();
  return (length, from = 1) => {
    const which = from * 2 ** 32 + length;
    const known = texts.get(which);
    if (known !== undefined) return known;
    const text = write(length, from);
    texts.set(which, text);
    return text;
  };
}

/** Only the first row has casts. Both engines infer the types of the other rows from it. */
function valuesText(
  columns: readonly (readonly [name: string, type: ColumnType])[],
  length: number,
): string {
  const rows = Array.from({ length }, (_, row) => {
    const places = columns.map(([, type], column) => {
      const place = `$${1 + row * columns.length + column}`;
      return row === 0 ? `cast(${place} as ${type})` : place;
    });
    return `(${places.join(', ')})`;
  });
  return `values ${rows.join(', ')}`;
}

function placesText(length: number, from: number): string {
  return Array.from({ length }, (_, at) => `$${from + at}`).join(', ');
}

function paddedLength(length: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, length)));
}
