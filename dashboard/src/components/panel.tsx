// A panel beside a list, with one of its items. The list stays usable, and Escape closes the panel.
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { Await, Empty } from './basics.tsx';
import type { Shown } from './basics.tsx';

/** The items before and after this one in the list; undefined at its ends. */
export interface Neighbours {
  previous?: (() => void) | undefined;
  next?: (() => void) | undefined;
}

interface PanelProps {
  title: string;
  onClose: () => void;
  neighbours?: Neighbours | undefined;
  children: ReactNode;
}

/**
 * These keys work only while the panel has the focus, so that they do nothing unexpected elsewhere.
 */
const stepKeys: Readonly<Record<string, keyof Neighbours | undefined>> = {
  ArrowLeft: 'previous',
  k: 'previous',
  ArrowRight: 'next',
  j: 'next',
};

function Panel({ title, onClose, neighbours, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const panel = useRef<HTMLElement>(null);
  const titleId = useId();
  const press = useEffectEvent((event: KeyboardEvent) => {
    const above = document.querySelector('dialog[open], [popover]:popover-open');
    if (event.key === 'Escape' && above === null) return onClose();
    const at = event.target as HTMLElement;
    const isTyping = at.closest('input, textarea, select') !== null;
    const which = stepKeys[event.key];
    if (isTyping || !which || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    if (panel.current?.contains(at)) neighbours?.[which]?.();
    return undefined;
  });
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <aside ref={panel} className="panel" aria-labelledby={titleId}>
      <header className="panel-head">
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {neighbours ? <Steps {...neighbours} /> : null}
        <button type="button" className="icon-button" onClick={onClose}>
          <Icon name="close" />
          <span className="hidden-text">Close</span>
        </button>
      </header>
      <div className="panel-body" role="region" aria-labelledby={titleId} tabIndex={0}>
        {children}
      </div>
    </aside>
  );
}

function Steps({ previous, next }: Neighbours) {
  return (
    <span className="steps">
      <button
        type="button"
        className="icon-button"
        title="Previous (← or K)"
        disabled={!previous}
        onClick={previous}
      >
        <Icon name="up" />
        <span className="hidden-text">Previous</span>
      </button>
      <button
        type="button"
        className="icon-button"
        title="Next (→ or J)"
        disabled={!next}
        onClick={next}
      >
        <Icon name="down" />
        <span className="hidden-text">Next</span>
      </button>
    </span>
  );
}

/** The neighbours of an item in the rows that are on the page. */
export function neighboursOf(
  ids: readonly string[],
  open: string,
  show: (id: string) => void,
): Neighbours {
  const place = ids.indexOf(open);
  const step = (id: string | undefined) => (id === undefined ? undefined : () => show(id));
  return place === -1
    ? {}
    : { previous: place === 0 ? undefined : step(ids[place - 1]), next: step(ids[place + 1]) };
}

interface DetailProps<T> {
  title: string;
  /** The items with this id: one, or none. */
  of: Shown<readonly T[]>;
  /** Explains why the item may not exist. */
  missing: string;
  onClose: () => void;
  neighbours?: Neighbours;
  children: (one: T) => ReactNode;
}

export function Detail<T>(props: DetailProps<T>) {
  const { title, of, missing, onClose, neighbours, children } = props;
  return (
    <Panel title={title} onClose={onClose} neighbours={neighbours}>
      <Await of={of}>
        {([one]) =>
          one === undefined ? <Empty title="Not found">{missing}</Empty> : children(one)
        }
      </Await>
    </Panel>
  );
}
