// Statements of the reports: transfers from newest to oldest.
import type { Transfer } from '../../billing/core/index.ts';
import {
  type Filter,
  type ListPage,
  type Runner,
  type ScanLimits,
  type Scanned,
  scanPage,
  timeFilters,
  type TimeRange,
} from '../../store/index.ts';
import { readTransfer } from '../../billing/index.ts';

interface TransferFilter extends TimeRange {
  account_id?: string | undefined;
  key_id?: string | undefined;
  kind?: string | undefined;
}

const columns = 'id, kind, account_id, amount, hold_id, key_id, reason, created_at';

export function listTransfers(
  on: Runner,
  filter: TransferFilter,
  page: ListPage,
  limits?: ScanLimits,
): Promise<Scanned<Transfer>> {
  const { account_id, key_id, kind } = filter;
  const indexed: Filter[] = [
    { text: 'account_id = ?', values: [account_id] },
    // The few lines that are not charges have an index of their own.
    ...(kind === undefined || kind === 'settle' ? [] : [{ text: "kind <> 'settle'", values: [] }]),
    ...timeFilters(filter),
  ];
  const others: Filter[] = [
    { text: 'key_id = ?', values: [key_id] },
    { text: 'kind = ?', values: [kind] },
  ];
  const list = { table: 'transfers', columns, read: readTransfer, indexed, others };
  return scanPage(on, list, page, limits);
}
