// Lists: their filters, and how they are read page by page.
import type { PagePromise } from './api-promise.ts';
import { filtersOf } from './names.ts';
import type { EitherName, EitherOption } from './names.ts';
import type { CallOptions } from './options.ts';

/** Reads a list: awaited it is the first page, iterated over it is every item. */
export type List<Page, Item, Filters> = (
  filters?: EitherName<Filters>,
  options?: EitherOption<CallOptions>,
) => PagePromise<Page, Item>;

/** The query of filters that are named in either style. */
export function queryOf(filters: object): string {
  const given = Object.entries(filtersOf(filters)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
