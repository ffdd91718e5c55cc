// Many rows in one statement, padded to few lengths, so that few statements are to be remembered.
import type { Value } from '../platform/database.ts';

export type ColumnType = 'text' | 'bigint';

export interface RowList {
  /** A table `v` of `column1, column2 …`; rows whose first column is null are padding. */
  text: string;
  values: Value[];
}

/** The types stand in the first row; both engines take the others from there. */
export function rowList(
  types: readonly ColumnType[],
  rows: readonly (readonly Value[])[],
  first_place = 1,
): RowList {
  const length = paddedLength(rows.length);
  const values: Value[] = [];
  const texts: string[] = [];
  for (let row = 0; row < length; row += 1) {
    const places = types.map((type, column) => {
      values.push(rows[row]?.[column] ?? null);
      const place = `$${first_place + row * types.length + column}`;
      return row === 0 ? `cast(${place} as ${type})` : place;
    });
    texts.push(`(${places.join(', ')})`);
  }
  return { text: `(values ${texts.join(', ')}) as v`, values };
}

export interface PlaceList {
  /** `$1, $2, …`, for `in (…)`. */
  text: string;
  values: Value[];
}

/** A repeated id finds nothing new, so the last one is the padding. */
export function placeList(ids: readonly string[], first_place = 1): PlaceList {
  const length = paddedLength(ids.length);
  const values = Array.from({ length }, (_, at) => ids[at] ?? ids.at(-1) ?? null);
  const text = values.map((_, at) => `$${first_place + at}`).join(', ');
  return { text, values };
}

function paddedLength(length: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, length)));
}
