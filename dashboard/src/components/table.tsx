// A table built from column definitions.
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useMayChange } from '../shell/session.tsx';
import { Icon } from './icon.tsx';

export interface Column<T> {
  title: string;
  show: (row: T) => ReactNode;
  /** Right-aligned, for numbers. */
  right?: boolean;
  /** Text of any length, which wraps; all other cells are one short line. */
  wrap?: boolean;
  /** Takes the width that the other columns leave, in one line. */
  grow?: boolean;
  /** Left out if there is no room for it; the detail of a row shows it too. */
  optional?: boolean;
  /** Only for people who may make changes. */
  changes?: boolean;
}

export interface TableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  onOpen?: (row: T) => void;
  bare?: boolean;
  /** A long list, whose header stays at the top of the page. */
  log?: boolean;
  /** The key of the row whose detail is open. */
  selected?: string | null;
  /** The keys of rows that were added while the page was open. */
  added?: ReadonlySet<string>;
}

export function Table<T>(props: TableProps<T>) {
  const { label, rows, keyOf, onOpen, bare, log, added, selected } = props;
  const mayChange = useMayChange();
  const shown = props.columns.filter(({ changes }) => mayChange || !changes);
  const hasOptional = shown.some(({ optional }) => optional);
  const { box, table, form } = useTableForm(hasOptional, rows);
  const columns = form === 'whole' ? shown : shown.filter(isNeeded(form));
  const isCards = form === 'cards';
  return (
    <div
      ref={box}
      className={`table-box ${bare ? 'bare' : ''} ${log ? 'log' : ''} ${isCards ? 'cards' : ''}`}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table ref={table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={classOf(column)}>
                {column.title}
              </th>
            ))}
            {onOpen ? (
              <th scope="col">
                <span className="hidden-text">Detail</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className={rowClass(onOpen !== undefined, added?.has(keyOf(row)))}
              aria-current={selected === keyOf(row) ? 'true' : undefined}
              onClick={() => isSelecting() || onOpen?.(row)}
            >
              {columns.map((column) => (
                <td key={column.title} data-title={column.title} className={classOf(column)}>
                  {/* The same element in every form: an open menu stays open when the form changes. */}
                  <div className="cell">{column.show(row)}</div>
                </td>
              ))}
              {onOpen ? (
                <td className="right">
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`Open ${keyOf(row)}`}
                    onClick={(event) => {
                      event.stopPropagation();
                      onOpen(row);
                    }}
                  >
                    <Icon name="open" />
                  </button>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function rowClass(openable: boolean, added: boolean | undefined): string | undefined {
  return [openable ? 'openable' : '', added ? 'arrived' : ''].join(' ').trim() || undefined;
}

/** A click that ends a text selection must not open the row. */
function isSelecting(): boolean {
  return getSelection()?.isCollapsed === false;
}

function classOf({ right, wrap, grow }: Column<never>): string | undefined {
  const names = [right ? 'right numeric' : '', wrap ? 'wrap' : '', grow ? 'grow' : ''];
  return names.filter(Boolean).join(' ') || undefined;
}

function isNeeded(form: TableForm): (column: Column<never>) => boolean {
  return ({ optional }) => form === 'cards' || !optional;
}

/** With every column, without the optional ones, or each row as a card. */
type TableForm = 'whole' | 'short' | 'cards';

/**
 * The widest form that fits. The width of a table depends on its texts, its typeface and its
 * script, so the table is drawn and measured, all before the browser paints.
 */
function useTableForm(hasOptional: boolean, rows: readonly unknown[]) {
  const box = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const [form, setForm] = useState<TableForm>('whole');
  /** The width that a form turned out to need. */
  const needed = useRef<Partial<Record<TableForm, number>>>({});
  useLayoutEffect(() => {
    needed.current = {};
    setForm('whole');
  }, [rows]);
  useLayoutEffect(() => {
    const [place, drawn] = [box.current, table.current];
    if (!place || !drawn) return undefined;
    const fit = () => {
      const room = place.clientWidth;
      if (room === 0) return;
      if (form !== 'cards' && drawn.offsetWidth > room) {
        needed.current[form] = drawn.offsetWidth;
        setForm(form === 'whole' && hasOptional ? 'short' : 'cards');
      } else if ((needed.current.whole ?? Infinity) <= room) setForm('whole');
      else if (form === 'cards' && (needed.current.short ?? Infinity) <= room) setForm('short');
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(place);
    observer.observe(drawn);
    return () => observer.disconnect();
  }, [form, rows, hasOptional]);
  return { box, table, form };
}

interface RowActionsProps {
  /** The name of the row for screen readers. */
  of: string;
  /** A button's text, what it does, and whether it is destructive; `false` leaves it out. */
  actions: readonly (readonly [text: string, run: () => void, danger?: 'danger'] | false)[];
  /** The name of a button for screen readers, from its text. */
  label: (text: string) => string;
  disabled?: boolean;
}

/** The menu of actions on a row, with destructive ones set apart. */
export function RowActions({ of, actions, label, disabled = false }: RowActionsProps) {
  const id = useId();
  if (!useMayChange()) return null;
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={`Actions: ${of}`}
        popoverTarget={id}
        disabled={disabled}
      >
        <Icon name="actions" />
      </button>
      <div id={id} className="menu row-menu" popover="auto">
        {actions.map((action) => {
          if (action === false) return null;
          const [text, run, danger] = action;
          return (
            <button
              key={text}
              type="button"
              className={danger ? 'row-action danger' : 'row-action'}
              aria-label={label(text)}
              popoverTarget={id}
              popoverTargetAction="hide"
              onClick={run}
            >
              {text}
            </button>
          );
        })}
      </div>
    </>
  );
}
