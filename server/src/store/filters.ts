// Builds the `where` clause of a list from the filters that the caller set.
import type { Value } from './database.ts';

export interface Filter {
  /** Contains `?` for each value, such as `day >= ?`. */
  text: string;
  values: readonly (Value | undefined)[];
}

/**
 * The text ` where …`, or an empty one. Skips each filter that has an undefined value. `first` are
 * the values before those of the filters.
 */
export function whereAll(filters: readonly Filter[], first: readonly Value[] = []) {
  const values: Value[] = [...first];
  const texts = filters
    .filter((filter) => filter.values.every((value) => value !== undefined))
    .map((filter) => {
      const given = filter.values.map((value) => value ?? null);
      let at = values.length;
      values.push(...given);
      return filter.text.replaceAll('?', () => `$${(at += 1)}`);
    });
  return { text: texts.length === 0 ? '' : ` where ${texts.join(' and ')}`, values };
}

/** One filter for each column: it has this value. */
export function equal(values: Readonly<Record<string, Value | undefined>>): Filter[] {
  return Object.entries(values).map(([name, value]) => ({ text: `${name} = ?`, values: [value] }));
}

/** Times in milliseconds. `before` is exclusive. */
export interface TimeRange {
  from?: number | undefined;
  before?: number | undefined;
}

export function timeFilters({ from, before }: TimeRange): Filter[] {
  return [
    { text: 'created_at >= ?', values: [from] },
    { text: 'created_at < ?', values: [before] },
  ];
}

/** Matches a column that contains the text. */
export function containing(column: string, text: string | undefined): Filter {
  const pattern = text === undefined ? undefined : `%${text.replaceAll(/[!%_]/g, '!$&')}%`;
  return { text: `${column} like ? escape '!'`, values: [pattern] };
}
