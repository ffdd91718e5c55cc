// The columns of a list that a person wants to see: the choice, which is in the address, and kept in
// this browser for addresses without one.
import { useEffect, useId, useState } from 'react';
import { setQuery, useLocation } from '../shell/router.tsx';
import { Icon } from './icon.tsx';

interface Choosable {
  title: string;
  grow?: boolean;
  extra?: boolean;
}

interface ColumnChoiceProps {
  columns: readonly Choosable[];
  isShown: (column: Choosable) => boolean;
  toggle: (title: string) => void;
}

/** The columns that are shown, and the properties of the choice if the list has one. */
export function useChosenColumns<C extends Choosable>(label: string, columns: readonly C[]) {
  const { query } = useLocation();
  const [kept, setKept] = useState(() => readToggled(label));
  const isChoosable = columns.some(({ extra }) => extra);
  const chosen = query.get('columns');
  // The address of a saved view says all of it.
  const isView = query.has('saved');
  const isAdded = isChoosable && chosen === null && !isView && kept.length > 0;
  const toggled = chosen?.split(',') ?? (isView ? [] : kept);
  useEffect(() => {
    if (isAdded) setQuery({ columns: kept.join(',') });
  }, [isAdded, kept]);
  const isShown = ({ title, extra }: Choosable) => toggled.includes(title) === (extra === true);
  const toggle = (title: string) => {
    const others = toggled.filter((one) => one !== title);
    const next = others.length < toggled.length ? others : [...toggled, title];
    setQuery({ columns: next.join(',') });
    if (isView) return;
    setKept(next);
    try {
      localStorage.setItem(storedName(label), JSON.stringify(next));
    } catch {
      // Without storage, the choice lasts until the page is left.
    }
  };
  const choice = isChoosable ? { columns, isShown, toggle } : undefined;
  return [choice ? columns.filter(isShown) : columns, choice] as const;
}

export function ColumnChoice({ columns, isShown, toggle }: ColumnChoiceProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="icon-button" aria-label="Columns" popoverTarget={id}>
        <Icon name="columns" />
      </button>
      <div
        id={id}
        className="menu row-menu"
        popover="auto"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {(open ? columns : []).map((column) => (
          <label key={column.title} className="row-action check">
            <input
              type="checkbox"
              checked={isShown(column)}
              disabled={column.grow}
              onChange={() => toggle(column.title)}
            />
            {column.title}
          </label>
        ))}
        <p className="row-action soft">Columns without room are left out.</p>
      </div>
    </>
  );
}

function storedName(label: string): string {
  return `trivium-columns ${label}`;
}

function readToggled(label: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storedName(label)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((title) => typeof title === 'string') : [];
  } catch {
    return [];
  }
}
