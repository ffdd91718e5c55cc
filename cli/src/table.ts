// Formats rows of text as aligned columns that fit the terminal.
import { cut, padToWidth, widthOf } from './display-width.ts';
import { plain } from './style.ts';
import type { Style } from './style.ts';

export function formatTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, style }: { columns: number; style: Style },
): string {
  const last = head.length - 1;
  const cells = rows.map((row) =>
    row.map((cell, index) => {
      const text = plain(cell).replaceAll(/\s+/g, ' ');
      return index === last ? text : cut(text, maxColumn);
    }),
  );
  const widths = head
    .slice(0, -1)
    .map((title, index) =>
      cells.reduce((most, row) => Math.max(most, widthOf(row[index] ?? '')), widthOf(title)),
    );
  const beforeLast = widths.reduce((sum, width) => sum + width + gap.length, 0);
  const room = Math.max(columns - beforeLast, minLastColumn);
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) =>
        index === last ? cut(cell, room) : padToWidth(cell, widths[index] ?? 0),
      )
      .join(gap)
      .trimEnd();
  return [style.bold(line(head)), ...cells.map(line)].map((text) => `${text}\n`).join('');
}

const gap = '  ';
const minLastColumn = 20;
/** No id, name or state is longer. A longer cell must not push the others off the screen. */
const maxColumn = 60;
