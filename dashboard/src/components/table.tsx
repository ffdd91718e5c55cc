// A table built from column definitions.
import type { ReactNode } from 'react';
import { Button } from './basics.tsx';

export interface Column<T> {
  title: string;
  show: (row: T) => ReactNode;
  /** Right-aligned, for numbers. */
  right?: boolean;
  wrap?: boolean;
  /** Takes the room that the other columns leave. */
  grow?: boolean;
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
  const { label, columns, rows, keyOf, onOpen, bare, log, added, selected } = props;
  return (
    <div
      className={`table-box ${bare ? 'bare' : ''} ${log ? 'log' : ''}`}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table className="cards">
        <thead>
          <tr>
            {columns.map(({ title, right, grow }) => (
              <th key={title} scope="col" className={right ? 'right' : grow ? 'grow' : undefined}>
                {title}
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
              {columns.map(({ title, show, right, wrap, grow }) => (
                <td key={title} data-title={title} className={grow ? 'grow' : classOf(right, wrap)}>
                  {show(row)}
                </td>
              ))}
              {onOpen ? (
                <td className="right">
                  <button
                    type="button"
                    className="button plain"
                    aria-label={`Open ${keyOf(row)}`}
                    onClick={(event) => {
                      event.stopPropagation();
                      onOpen(row);
                    }}
                  >
                    Open
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

/** A click that ends a selection of text opens nothing. */
function isSelecting(): boolean {
  return getSelection()?.isCollapsed === false;
}

function classOf(right: boolean | undefined, wrap: boolean | undefined): string | undefined {
  return [right ? 'right numeric' : '', wrap ? 'wrap' : ''].filter(Boolean).join(' ') || undefined;
}

interface RowActionsProps {
  /** A button's text and what it does; `false` leaves it out. */
  actions: readonly (readonly [text: string, run: () => void] | false)[];
  /** What a button is called for screen readers, by its text. */
  label: (text: string) => string;
  disabled?: boolean;
  children?: ReactNode;
}

/** What can be done with a row. */
export function RowActions({ actions, label, disabled = false, children }: RowActionsProps) {
  return (
    <div className="actions">
      {children}
      {actions.map((action) =>
        action === false ? null : (
          <Button
            key={action[0]}
            kind="plain"
            disabled={disabled}
            label={label(action[0])}
            onPress={action[1]}
          >
            {action[0]}
          </Button>
        ),
      )}
    </div>
  );
}
