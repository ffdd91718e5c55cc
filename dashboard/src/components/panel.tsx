// A panel beside a list, with one of its items. The list stays usable, and Escape closes the panel.
import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

interface PanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

export function Panel({ title, onClose, children }: PanelProps) {
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
      <div className="panel-body">{children}</div>
    </aside>
  );
}
