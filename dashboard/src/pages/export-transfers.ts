// Exports the ledger as a CSV file, built in the browser from the pages of the list.
import type { TransferLine, TransferList } from '@trivium/contract';
import { requestJson } from '../api/http.ts';
import { saveFile } from '../api/save-file.ts';

const maxPages = 200;
const pageSize = 500;

/** `base` is the URL of the list with its filters. */
export async function exportTransfers(base: string): Promise<void> {
  const lines: TransferLine[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const list: TransferList = await requestJson('GET', `${base}&limit=${pageSize}${more}`);
    lines.push(...list.transfers);
    cursor = list.next_cursor;
    if (cursor === null) break;
  }
  saveFile(csvOf(lines), 'trivium-ledger.csv', 'text/csv');
}

const columns = [
  'created_at',
  'id',
  'kind',
  'amount_usd',
  'reason',
  'key_id',
  'request_id',
  'account_id',
] as const;

export function csvOf(lines: readonly TransferLine[]): string {
  const rows = lines.map((line) => columns.map((column) => cell(line[column])).join(','));
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

/** Text that looks like a formula must not become one in a spreadsheet. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
