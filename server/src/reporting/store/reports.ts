// Statements of the reports: transfers from newest to oldest.
import type { Transfer } from '../../billing/core/book.ts';
import type { Runner } from '../../store/database.ts';
import { olderThan, whereAll, within } from '../../store/filters.ts';
import { readTransfer } from '../../billing/store/ledger.ts';
import type { ListPage, TimeRange } from '../../store/filters.ts';

interface TransferFilter extends TimeRange {
  account_id?: string | undefined;
  key_id?: string | undefined;
  kind?: string | undefined;
}

export async function listTransfers(
  on: Runner,
  filter: TransferFilter,
  { position, limit }: ListPage,
): Promise<Transfer[]> {
  const where = whereAll([
    { text: 'account_id = ?', values: [filter.account_id] },
    { text: 'key_id = ?', values: [filter.key_id] },
    { text: 'kind = ?', values: [filter.kind] },
    ...within(filter),
    olderThan(position),
  ]);
  const rows = await on.run(
    `select id, kind, account_id, amount, hold_id, key_id, reason, created_at
     from transfers${where.text} order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readTransfer);
}
