// Paging through a list: keeps the cursors of earlier pages to go back.
import { useState } from 'react';
import { when } from '../format.ts';
import { Button } from './basics.tsx';

export interface Paging {
  cursor: string | undefined;
  forward: (next: string) => void;
  back: () => void;
  /** True on the first page. */
  first: boolean;
}

/** A change of `of`, such as the filters, returns to the first page. */
export function usePaging(of: string): Paging {
  const [state, setState] = useState<{ of: string; paging: string[] }>({ of, paging: [] });
  const paging = state.of === of ? state.paging : [];
  return {
    cursor: paging.at(-1),
    forward: (next) => setState({ of, paging: [...paging, next] }),
    back: () => setState({ of, paging: paging.slice(0, -1) }),
    first: paging.length === 0,
  };
}

interface PagerProps {
  paging: Paging;
  next: string | null;
  /** Set when the search stopped early. */
  searchedUntil?: string | null;
}

export function Pager({ paging, next, searchedUntil = null }: PagerProps) {
  if (paging.first && next === null) return null;
  return (
    <nav className="row" aria-label="Pages of the list">
      {searchedUntil === null ? null : (
        <span className="soft" role="status">
          Searched back to {when(searchedUntil)}.
        </span>
      )}
      <Button disabled={paging.first} onPress={paging.back}>
        Newer
      </Button>
      <Button disabled={next === null} onPress={() => next !== null && paging.forward(next)}>
        {searchedUntil === null ? 'Older' : 'Search further'}
      </Button>
    </nav>
  );
}
