// Exports the ledger as a CSV file, built in the browser from the pages of the list.
import type { TransferLine } from '@trivium/contract';
import type { TransferFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { saveFile } from '../api/save-file.ts';

const maxLines = 100_000;
const pageSize = 500;

export async function exportTransfers(filters: TransferFilters): Promise<void> {
  const lines: TransferLine[] = [];
  for await (const line of admin.transfers.list({ ...filters, limit: pageSize })) {
    lines.push(line);
    if (lines.length === maxLines) break;
  }
  saveFile(csvOf(lines), 'trivium-ledger.csv', 'text/csv');
}

const columns = [
  'created_at',
  'id',
  'kind',
  'amount_usd',
  'balance_after_usd',
  'reason',
  'tool',
  'provider',
  'asked',
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
