// CSV according to RFC 4180, safe to open in a spreadsheet.

type Cell = string | number | null;

/** A spreadsheet would run a cell that begins with one of these as a formula. */
const formula = /^[=+\-@\t\r]/;

export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
