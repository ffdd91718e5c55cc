// Builds the `where` clause of a list from the filters that the caller set.
import type { Value } from './database.ts';

export interface Filter {
  /** Contains `?` for each value, such as `day >= ?`. */
  text: string;
  values: readonly (Value | undefined)[];
}

interface Where {
  /** ` where …`, or empty. */
  text: string;
  values: Value[];
}

/**
 * Skips each filter that has an undefined value. `first` are the values before those of the
 * filters.
 */
export function whereAll(filters: readonly Filter[], first: readonly Value[] = []): Where {
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

/** Where the previous page ended, in a list from newest to oldest. */
export interface ListPosition {
  created_at: number;
  id: string;
}

/** The separate condition on the time selects the partitions, if the table has any. */
export function olderThan(position: ListPosition | undefined): Filter {
  return {
    text: '(created_at, id) < (?, ?) and created_at <= ?',
    values: [position?.created_at, position?.id, position?.created_at],
  };
}

/** The other end of a part of a list, inclusive. */
export function downTo(position: ListPosition | undefined): Filter {
  return {
    text: '(created_at, id) >= (?, ?) and created_at >= ?',
    values: [position?.created_at, position?.id, position?.created_at],
  };
}

/** The page of a list to read. */
export interface ListPage {
  position?: ListPosition | undefined;
  limit: number;
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

/** Matches a column that contains the text, ignoring case. */
export function containing(column: string, text: string | undefined): Filter {
  const pattern = text === undefined ? undefined : `%${literal(text.toLowerCase())}%`;
  return { text: `lower(${column}) like ? escape '!'`, values: [pattern] };
}

/** The `like` pattern that matches exactly this text. */
export function literal(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&');
}
