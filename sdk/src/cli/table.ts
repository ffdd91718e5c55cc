// Formats rows of text as aligned columns that fit the terminal.
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
  const beforeLast = widths.slice(0, -1).reduce((sum, width) => sum + width + gap.length, 0);
  const room = Math.max(columns - beforeLast, minLastColumn);
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) =>
        index === head.length - 1 ? cut(cell, room) : cell.padEnd(widths[index] ?? 0),
      )
      .join(gap)
      .trimEnd();
  return [style.bold(line(head)), ...cells.map(line)].map((text) => `${text}\n`).join('');
}

const gap = '  ';
const minLastColumn = 20;

/** Truncates a text and marks the cut with an ellipsis. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(length - 1, 0))}…`;
}
