// Reports for operators: transfers and usage.
import type { TransferList, TransferQuery, UsageQuery, UsageReport } from '@trivium/contract';
import { dayOf } from '../billing/core/book.ts';
import { usd } from '../billing/core/money.ts';
import { listTransfers, sumUsage } from './store/reports.ts';
import { showTransfer } from '../accounts/accounts.ts';
import { iso, nextCursor, readPage, readDateRange } from '../store/paging.ts';
import type { Runner } from '../store/database.ts';

const dayMs = 86_400_000;

export async function readTransfers(
  context: { database: Runner },
  query: TransferQuery,
): Promise<TransferList> {
  const page = readPage(query);
  const rows = await listTransfers(context.database, { ...query, ...readDateRange(query) }, page);
  return { transfers: rows.map(showTransfer), next_cursor: nextCursor(rows, page) };
}

export async function readUsage(
  context: { database: Runner },
  query: UsageQuery,
): Promise<UsageReport> {
  const { account_id, key_id, by, from, to } = query;
  const days = {
    from_day: from === undefined ? undefined : dayOf(Date.parse(from)),
    to_day: to === undefined ? undefined : dayOf(Date.parse(to)),
  };
  const sums = await sumUsage(context.database, { account_id, key_id, ...days }, by);
  return {
    by,
    usage: sums.map(({ group, requests, failures, cost }) => ({
      group: typeof group === 'number' ? iso(group * dayMs).slice(0, 10) : group,
      requests,
      failures,
      cost_usd: usd(cost),
    })),
  };
}
