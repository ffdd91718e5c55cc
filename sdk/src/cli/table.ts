// Rows of text as columns that line up and fit the terminal.
import { plain } from './style.ts';
import type { Style } from './style.ts';

export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, style }: { columns: number; style: Style },
): string {
  const cells = rows.map((row) => row.map((cell) => plain(cell).replaceAll(/\s+/g, ' ')));
  const widths = head.map((title, index) =>
    Math.max(title.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const before_last = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const room = Math.max(columns - before_last, MIN_LAST_COLUMN);
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) =>
        index === head.length - 1 ? cut(cell, room) : cell.padEnd(widths[index] ?? 0),
      )
      .join(GAP)
      .trimEnd();
  return [style.bold(line(head)), ...cells.map(line)].map((text) => `${text}\n`).join('');
}

const GAP = '  ';
const MIN_LAST_COLUMN = 20;

/** Cuts a text to a length and shows that it went on. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(length - 1, 0))}…`;
}
