// Conditions of a list, put together from those that were asked for.
import type { Value } from '../platform/database.ts';

export interface Filter {
  /** With `?` for each value, such as `day >= ?`. */
  text: string;
  values: readonly (Value | undefined)[];
}

export interface Where {
  /** ` where …`, or nothing. */
  text: string;
  values: Value[];
}

/** A filter with an undefined value was not asked for. */
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

/** Where the page before ended, in a list from new to old. */
export interface Place {
  created_at: number;
  id: string;
}

export function after(place: Place | undefined): Filter {
  return { text: '(created_at, id) < (?, ?)', values: [place?.created_at, place?.id] };
}
