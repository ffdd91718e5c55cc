// A list that stays up to date: new rows are added at its head, or wait while the person reads.
import type { ListEnd } from '@trivium/contract';
import { useState } from 'react';
import { requestJson } from '../api/http.ts';
import { useLoad } from '../api/use-load.ts';
import type { Loaded } from '../api/use-load.ts';
import { useNews } from '../shell/live.tsx';
import { Icon } from './icon.tsx';

type Page<K extends string, R> = Readonly<Record<K, R[]>> & ListEnd;

export interface LiveList<P> {
  list: Loaded<P>;
  /** How many new rows wait. */
  waiting: number;
  showWaiting: () => void;
  /** The ids of rows that were added while the page was open. */
  arrived: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** `name` is the property with the rows. Only the first page of a list has new rows. */
export function useLiveList<K extends string, R extends { id: string }>(
  path: string,
  name: K,
  isFirstPage: boolean,
): LiveList<Page<K, R>> {
  const load = () => requestJson<Page<K, R>>('GET', path);
  const list = useLoad(path, load);
  const [held, setHeld] = useState<{ path: string; latest: Page<K, R>; count: number }>();
  const [arrived, setArrived] = useState(none);
  const shownIds = new Set(list.data?.[name].map(({ id }) => id));
  const show = (latest: Page<K, R>) => {
    const added = latest[name].filter(({ id }) => !shownIds.has(id));
    setArrived(new Set(added.map(({ id }) => id)));
    setHeld(undefined);
    list.put(latest);
  };
  useNews(async () => {
    const shown = list.data;
    if (!isFirstPage || shown === undefined) return;
    const latest = await load();
    const count = latest[name].filter(({ id }) => !shownIds.has(id)).length;
    if (count === 0 || !isReading()) return show(latest);
    // Rows that are on the page change in their places.
    const changed = new Map(latest[name].map((row) => [row.id, row]));
    const rows = shown[name].map((row) => changed.get(row.id) ?? row);
    list.put({ ...shown, [name]: rows });
    setHeld({ path, latest, count });
  });
  return {
    list,
    arrived,
    waiting: held?.path === path ? held.count : 0,
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

interface WaitingProps {
  count: number;
  what: string;
  onShow: () => void;
}

export function WaitingRows({ count, what, onShow }: WaitingProps) {
  return (
    <div className="waiting" role="status">
      {count === 0 ? null : (
        <button type="button" className="button primary" onClick={onShow}>
          <Icon name="up" />
          {count} new {count === 1 ? what : `${what}s`}
        </button>
      )}
    </div>
  );
}
