// The columns of a list that a person wants to see: the choice, which is kept in this browser.
import { useId, useState } from 'react';
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
  const [toggled, setToggled] = useState(() => readToggled(label));
  const isShown = ({ title, extra }: Choosable) => toggled.includes(title) === (extra === true);
  const toggle = (title: string) => {
    const others = toggled.filter((one) => one !== title);
    const next = others.length < toggled.length ? others : [...toggled, title];
    setToggled(next);
    try {
      localStorage.setItem(storedName(label), JSON.stringify(next));
    } catch {
      // Without storage, the choice lasts until the page is left.
    }
  };
  const choice = columns.some(({ extra }) => extra) ? { columns, isShown, toggle } : undefined;
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
