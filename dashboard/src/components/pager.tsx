// A list that is read page by page. The page is in the address, and Back returns to the previous
// one.
import type { ListEnd } from '@trivium/contract';
import type { ReactNode } from 'react';
import { useLoad } from '../api/data.ts';
import type { Loaded } from '../api/data.ts';
import { when } from '../format.ts';
import { leavePage, openPage, useLocation } from '../shell/router.tsx';
import { Await, Button } from './basics.tsx';

export interface PagedList<P> {
  /** Identifies the filters and the page. */
  key: string;
  list: Loaded<P>;
  /** Reads this page again, without showing it. */
  load: () => Promise<P>;
  isFirstPage: boolean;
  forward: (next: string) => void;
  back: () => void;
}

/**
 * The page is in the address, as `cursor` or under the name of this list. A change of filters
 * starts again at the first page.
 */
export function usePagedList<P, F extends object>(
  kind: string,
  read: (filters: F & { cursor: string | undefined }) => Promise<P>,
  filters: F,
  name = 'cursor',
): PagedList<P> {
  const cursor = useLocation().query.get(name) ?? undefined;
  const query = { ...filters, cursor };
  const key = [kind, query] as const;
  const load = () => read(query);
  return {
    key: JSON.stringify(key),
    list: useLoad(key, load),
    load,
    isFirstPage: cursor === undefined,
    forward: (next) => openPage(name, next),
    back: () => leavePage(name),
  };
}

interface PagesProps<P> {
  of: PagedList<P>;
  children: (page: P) => ReactNode;
}

/** The page of a list, with the buttons to its neighbours. */
export function Pages<P extends Partial<ListEnd>>({ of, children }: PagesProps<P>) {
  return (
    <Await of={of.list}>
      {(page) => (
        <>
          {children(page)}
          <Pager of={of} next={page.next_cursor ?? null} searchedUntil={page.searched_until} />
        </>
      )}
    </Await>
  );
}

interface PagerProps {
  of: Pick<PagedList<unknown>, 'isFirstPage' | 'forward' | 'back'>;
  next: string | null;
  /** Set when the search stopped early. */
  searchedUntil: string | null | undefined;
}

function Pager({ of: { isFirstPage, forward, back }, next, searchedUntil = null }: PagerProps) {
  const isSorted = useLocation().query.has('sort');
  if (isFirstPage && next === null) return null;
  const further = searchedUntil === null ? 'Older' : 'Search further';
  return (
    <nav className="row" aria-label="Pages of the list">
      {searchedUntil === null ? null : (
        <span className="soft" role="status">
          Searched back to {when(searchedUntil)}.
        </span>
      )}
      <Button disabled={isFirstPage} onPress={back}>
        {isSorted ? 'Previous' : 'Newer'}
      </Button>
      <Button disabled={next === null} onPress={() => next !== null && forward(next)}>
        {isSorted ? 'Next' : further}
      </Button>
    </nav>
  );
}
