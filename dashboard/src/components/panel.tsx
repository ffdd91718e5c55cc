// A panel beside a list, with one of its items. The list stays usable, and Escape closes the panel.
import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { Loaded } from '../api/use-load.ts';
import { Await, Empty } from './basics.tsx';

interface PanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

function Panel({ title, onClose, children }: PanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const closeOnEscape = (event: KeyboardEvent) => {
      const above = document.querySelector('dialog[open], [popover]:popover-open');
      if (event.key === 'Escape' && above === null) onClose();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [onClose]);
  return (
    <aside className="panel" aria-labelledby={titleId}>
      <header className="panel-head">
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          {title}
        </h2>
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

interface DetailProps<T> {
  title: string;
  /** The items with this id: one, or none. */
  of: Loaded<readonly T[]>;
  /** Why it may not exist. */
  missing: string;
  onClose: () => void;
  children: (one: T) => ReactNode;
}

export function Detail<T>({ title, of, missing, onClose, children }: DetailProps<T>) {
  return (
    <Panel title={title} onClose={onClose}>
      <Await of={of}>
        {([one]) =>
          one === undefined ? <Empty title="Not found">{missing}</Empty> : children(one)
        }
      </Await>
    </Panel>
  );
}
