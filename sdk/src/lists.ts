// Lists: their filters, and reading them page by page.
import type { PagePromise } from './api-promise.ts';
import { filtersOf } from './names.ts';
import type { EitherName, EitherOption } from './names.ts';
import type { CallOptions } from './options.ts';

/** Reads a list. Await it to get the first page, or iterate over it to get every item. */
export type List<Page, Item, Filters> = (
  filters?: EitherName<Filters>,
  options?: EitherOption<CallOptions>,
) => PagePromise<Page, Item>;

/** The query string for filters that are named in either style. */
export function queryOf(filters: object): string {
  const given = Object.entries(filtersOf(filters)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
