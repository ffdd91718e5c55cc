// Lists: their filters, and how they are read page by page.
import type { PagePromise } from './api-promise.ts';
import type { CallOptions } from './options.ts';

export type Filters = Readonly<Record<string, string | number | undefined>>;

/** Reads a list: awaited it is the first page, iterated over it is every item. */
export type List<Page, Item> = (
  filters?: Filters,
  options?: CallOptions,
) => PagePromise<Page, Item>;

export function queryOf(filters: Filters): string {
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
