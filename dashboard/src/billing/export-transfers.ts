// Exports the ledger as a CSV file, built in the browser from the pages of the list.
import type { TransferLine } from '@trivium/contract';
import type { TransferFilters } from '@trivium/sdk';
import { admin } from '../api/clients.ts';
import { csvText } from '../api/csv.ts';
import { saveFile } from '../api/save-file.ts';

const maxLines = 100_000;
const pageSize = 500;

export async function exportTransfers(
  filters: TransferFilters,
  keyNameOf: (id: string) => string,
): Promise<void> {
  const lines: TransferLine[] = [];
  for await (const line of admin.transfers.list({ ...filters, limit: pageSize })) {
    lines.push(line);
    if (lines.length === maxLines) break;
  }
  saveFile(csvOf(lines, keyNameOf), 'trivium-ledger.csv', 'text/csv');
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
  'simulated',
] as const;

/** With the name of the key as the last column. */
export function csvOf(
  lines: readonly TransferLine[],
  keyNameOf: (id: string) => string = (id) => id,
): string {
  return csvText([
    [...columns, 'key_name'],
    ...lines.map((line) => [
      ...columns.map((column) => (column === 'simulated' ? String(line[column]) : line[column])),
      line.key_id === null ? null : keyNameOf(line.key_id),
    ]),
  ]);
}
