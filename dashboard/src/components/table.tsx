// A table built from column definitions.
import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { setQuery, useLocation } from '../shell/router.tsx';
import { useMayChange } from '../shell/session.tsx';
import { ColumnChoice, useChosenColumns } from './column-choice.tsx';
import { Icon } from './icon.tsx';
import { usePrinting } from './use-printing.ts';

export interface Column<T> {
  title: string;
  /** `brief` is true if the row has two lines, on a narrow screen. */
  show: (row: T, brief: boolean) => ReactNode;
  /** Right-aligned, for numbers. */
  right?: boolean;
  /** Text of any length, which wraps; all other cells are one short line. */
  wrap?: boolean;
  /** Takes the width that the other columns leave, in one line. */
  grow?: boolean;
  /**
   * Left out if there is no room for it, the last such column first; the detail of a row shows it
   * too.
   */
  optional?: boolean;
  /** Shown only to people who choose it. */
  extra?: boolean;
  /** Only for people who may make changes. */
  changes?: boolean;
  /**
   * The line that shows it where a row has two lines. If no column has one, narrow rows are cards.
   */
  line?: 1 | 2;
  /**
   * The value of `sort` in the address with which the list is in the order of this column; empty
   * for the usual order.
   */
  sort?: string;
}

export interface TableProps<T> {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  onOpen?: (row: T) => void;
  bare?: boolean;
  /** A long list with rows of one line, whose header stays at the top of the page. */
  log?: boolean;
  /** The key of the row whose detail is open. */
  selected?: string | null;
  /** The keys of rows that were added while the page was open. */
  added?: ReadonlySet<string>;
}

export function Table<T>(props: TableProps<T>) {
  const { label, rows, keyOf, onOpen, bare, log, added, selected } = props;
  const mayChange = useMayChange();
  const printed = usePrinting();
  const allowed = props.columns.filter(({ changes }) => (mayChange && !printed) || !changes);
  const [chosen, choose] = useChosenColumns(label, allowed);
  const optional = chosen.filter(isOptional);
  const content = [...chosen.map(({ title }) => title), ...rows.map(keyOf)].join(' ');
  const { box, table, leftOut } = useFit(optional.length, content, selected);
  const isNarrow = !printed && leftOut > optional.length;
  const brief = isNarrow && allowed.some(({ line }) => line);
  const dropped = isNarrow || printed ? [] : optional.slice(optional.length - leftOut);
  const columns = brief
    ? allowed.filter(({ line }) => line)
    : chosen.filter((column) => !dropped.includes(column));
  const sorted = useLocation().query.get('sort') ?? '';
  const form = brief ? 'brief' : isNarrow ? 'cards' : 'wide';
  return (
    <div
      ref={box}
      className={`table-box ${form} ${bare ? 'bare' : ''} ${log ? 'log' : ''}`}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table ref={table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={classOf(column, brief)}
                data-optional={isOptional(column)}
                {...sortOf(column, sorted)}
              >
                {isNarrow ? column.title : <Title of={column} sorted={sorted} />}
              </th>
            ))}
            {onOpen ? (
              <th scope="col">
                {choose && !isNarrow ? (
                  <ColumnChoice {...choose} />
                ) : (
                  <span className="hidden-text">Detail</span>
                )}
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
                <td key={column.title} data-title={column.title} className={classOf(column, brief)}>
                  {/* The same element in every form: an open menu stays open when the form changes. */}
                  <div className="cell">{column.show(row, brief)}</div>
                </td>
              ))}
              {onOpen ? (
                <td className="right line-1">
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

/** A click on the title of a column that can be sorted sorts by it, or ends that. */
function Title({ of: { title, sort }, sorted }: { of: Column<never>; sorted: string }) {
  if (sort === undefined) return title;
  return (
    <button
      type="button"
      className="sort"
      onClick={() => setQuery({ sort: sort === sorted ? undefined : sort, cursor: undefined })}
    >
      {title}
      {sort === sorted ? <Icon name="down" /> : null}
    </button>
  );
}

function sortOf({ sort }: Column<never>, sorted: string) {
  return sort === sorted ? { 'aria-sort': 'descending' as const } : {};
}

function isOptional({ optional, extra }: Column<never>): boolean {
  return optional === true || extra === true;
}

function rowClass(openable: boolean, added: boolean | undefined): string | undefined {
  return [openable ? 'openable' : '', added ? 'arrived' : ''].join(' ').trim() || undefined;
}

/** A click that ends a text selection must not open the row. */
function isSelecting(): boolean {
  return getSelection()?.isCollapsed === false;
}

function classOf({ right, wrap, grow, line }: Column<never>, brief: boolean): string | undefined {
  const names = [right && 'right numeric', wrap && 'wrap', grow && 'grow', brief && `line-${line}`];
  return names.filter(Boolean).join(' ') || undefined;
}

/**
 * How many of the optional columns are left out, the last ones first, so that the table fits; one
 * more than there are if it does not fit even so. The width of a table depends on its texts, its
 * typeface and its script, so the table is drawn and measured, all before the browser paints.
 */
function useFit(optional: number, content: string, selected: string | null | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const [leftOut, setLeftOut] = useState(0);
  /** The widths that the table turned out to need, by how many columns were left out. */
  const needed = useRef<number[]>([]);
  const opened = useRef<Element>(null);
  useLayoutEffect(() => {
    needed.current = [];
    opened.current = null;
    setLeftOut(0);
  }, [content]);
  useLayoutEffect(() => {
    const [place, drawn] = [box.current, table.current];
    if (!place || !drawn) return undefined;
    const fit = () => {
      const room = place.clientWidth;
      const enough = needed.current.findIndex((width) => width <= room);
      if (enough !== -1) {
        needed.current.length = enough;
        setLeftOut(enough);
      } else if (room > 0 && leftOut <= optional && drawn.offsetWidth > room) {
        const heads = [...drawn.querySelectorAll<HTMLElement>('[data-optional=true]')].toReversed();
        let next = leftOut;
        for (let width = drawn.offsetWidth; width > room && next <= optional; next += 1) {
          needed.current[next] = width;
          width -= heads[next - leftOut]?.offsetWidth ?? 0;
        }
        setLeftOut(next);
      }
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(place);
    observer.observe(drawn);
    return () => observer.disconnect();
  }, [leftOut, content, optional, selected]);
  // A detail makes the list narrower: its row stays in sight while others change their height.
  useLayoutEffect(() => {
    opened.current = table.current?.querySelector('tr[aria-current]') ?? opened.current;
    opened.current?.scrollIntoView({ block: 'nearest' });
  }, [leftOut, selected]);
  return { box, table, leftOut };
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
