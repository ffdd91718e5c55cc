// Reports for operators: transfers.
import type { TransferList, TransferQuery } from '@trivium/contract';
import { listTransfers } from './store/reports.ts';
import { showTransfer } from '../accounts/accounts.ts';
import { nextCursor, readPage, readDateRange } from '../store/paging.ts';
import type { Runner } from '../store/database.ts';

export async function readTransfers(
  context: { database: Runner },
  query: TransferQuery,
): Promise<TransferList> {
  const page = readPage(query);
  const rows = await listTransfers(context.database, { ...query, ...readDateRange(query) }, page);
  return { transfers: rows.map(showTransfer), next_cursor: nextCursor(rows, page) };
}
