// A list that stays up to date: new rows are added at the top, or held back while the person is
// reading.
import type { ListEnd } from '@trivium/contract';
import { useState } from 'react';
import { useLiveRefresh } from '../shell/live.tsx';
import { Icon } from './icon.tsx';
import type { PagedList } from './pager.tsx';

type Page<K extends string, R> = Readonly<Record<K, R[]>> & ListEnd;

interface LiveRows {
  /** How many new rows are held back. */
  waiting: number;
  showWaiting: () => void;
  /** The ids of rows that were added while the page was open. */
  added: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** `name` is the property with the rows. Only the first page of a list gets new rows. */
export function useLiveRows<K extends string, R extends { id: string }>(
  { key, list, load, isFirstPage }: PagedList<Page<K, R>>,
  name: K,
): LiveRows {
  const [held, setHeld] = useState<{ key: string; latest: Page<K, R>; count: number }>();
  const [added, setAdded] = useState(none);
  const shownIds = new Set(list.data?.[name].map(({ id }) => id));
  const newRows = (latest: Page<K, R>) => latest[name].filter(({ id }) => !shownIds.has(id));
  const show = (latest: Page<K, R>) => {
    setAdded(new Set(newRows(latest).map(({ id }) => id)));
    setHeld(undefined);
    list.put(latest);
  };
  useLiveRefresh(async () => {
    const shown = list.data;
    if (!isFirstPage || shown === undefined) return true;
    const latest = await load().catch(() => undefined);
    if (latest === undefined) return list.refresh();
    const count = newRows(latest).length;
    if (count === 0 || !isReading()) {
      show(latest);
      return true;
    }
    // Rows that are already on the page are updated in place.
    const changed = new Map(latest[name].map((row) => [row.id, row]));
    const rows = shown[name].map((row) => changed.get(row.id) ?? row);
    list.put({ ...shown, [name]: rows });
    setHeld({ key, latest, count });
    return true;
  });
  return {
    added,
    waiting: held?.key === key ? held.count : 0,
    showWaiting: () => {
      window.scrollTo(0, 0);
      if (held) show(held.latest);
    },
  };
}

/** The person has scrolled, opened or selected something, so nothing may move. */
function isReading(): boolean {
  const selecting = getSelection()?.isCollapsed === false;
  const within = document.activeElement?.closest('tbody, .panel') ?? null;
  const opened = document.querySelector('.panel, dialog[open]') !== null;
  return window.scrollY > topPx || selecting || opened || within !== null;
}

const topPx = 40;

export function WaitingRows({ rows, what }: { rows: LiveRows; what: string }) {
  const { waiting, showWaiting } = rows;
  return (
    <div className="waiting" role="status">
      {waiting === 0 ? null : (
        <button type="button" className="button primary" onClick={showWaiting}>
          <Icon name="up" />
          {waiting} new {waiting === 1 ? what : `${what}s`}
        </button>
      )}
    </div>
  );
}
