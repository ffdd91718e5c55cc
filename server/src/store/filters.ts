// Builds the `where` clause of a list from the filters that the caller set.
import type { Value } from './database.ts';

export interface Filter {
  /** With `?` for each value, such as `day >= ?`. */
  text: string;
  values: readonly (Value | undefined)[];
}

interface Where {
  /** ` where …`, or empty. */
  text: string;
  values: Value[];
}

/** Skips each filter that has an undefined value. */
export function whereAll(filters: readonly Filter[]): Where {
  const values: Value[] = [];
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

/** Where the previous page ended, in a list from newest to oldest. */
export interface ListPosition {
  created_at: number;
  id: string;
}

export function olderThan(position: ListPosition | undefined): Filter {
  return { text: '(created_at, id) < (?, ?)', values: [position?.created_at, position?.id] };
}

/** The page of a list to read. */
export interface ListPage {
  position?: ListPosition | undefined;
  limit: number;
}
