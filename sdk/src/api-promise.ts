// What a call returns: a promise of the body that also provides the response's metadata and, for a
// list, iterates over all pages.
import { TriviumError } from './errors.ts';
import type { ApiResponse } from './send.ts';

export interface ApiPromise<T> extends Promise<T> {
  /** The body together with the status, the request id, and whether it was replayed. */
  withResponse: () => Promise<ApiResponse<T>>;
}

/** Await it to get the first page, or iterate over it to get every item of every page. */
export interface PagePromise<Page, Item> extends ApiPromise<Page>, AsyncIterable<Item> {}

export function apiPromise<T>(sent: Promise<ApiResponse<T>>): ApiPromise<T> {
  const body = sent.then(({ data }) => data);
  const withResponse = () => {
    markHandled(body);
    return sent;
  };
  return Object.assign(body, { withResponse });
}

type Paged = { next_cursor?: string | null };

export function pagePromise<Page extends Paged, Item>(
  read: (cursor: string | undefined) => Promise<ApiResponse<Page>>,
  itemsOf: (page: Page) => readonly Item[],
): PagePromise<Page, Item> {
  const first = read(undefined);
  const body = apiPromise(first);
  return Object.assign(body, {
    [Symbol.asyncIterator]: () => {
      markHandled(body);
      return everyItem(first, read, itemsOf);
    },
  });
}

async function* everyItem<Page extends Paged, Item>(
  first: Promise<ApiResponse<Page>>,
  read: (cursor: string | undefined) => Promise<ApiResponse<Page>>,
  itemsOf: (page: Page) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  let { data: page } = await first;
  for (;;) {
    yield* itemsOf(page);
    const cursor = page.next_cursor ?? undefined;
    if (cursor === undefined) return;
    ({ data: page } = await read(cursor));
    if (page.next_cursor === cursor) {
      throw new TriviumError(
        'The list does not end: the cursor of a page points back to the same page.',
      );
    }
  }
}

/** The caller reads the outcome elsewhere, so a failure of this promise is not unhandled. */
function markHandled(promise: Promise<unknown>): void {
  promise.catch(() => {});
}
