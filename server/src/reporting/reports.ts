// Reports for operators: the request log, transfers and usage.
import type {
  RequestLine,
  RequestList,
  RequestQuery,
  TransferList,
  TransferQuery,
  UsageQuery,
  UsageReport,
} from '@trivium/contract';
import { dayOf } from '../billing/core/book.ts';
import { usd } from '../billing/core/money.ts';
import { listRequests, listTransfers, sumUsage } from './store/reports.ts';
import { showTransfer } from '../accounts/accounts.ts';
import { iso, nextCursor, readPage, readDateRange } from '../store/paging.ts';
import type { Runner } from '../store/database.ts';
import type { RequestRow } from '../billing/core/request-row.ts';

const dayMs = 86_400_000;

export async function readRequests(
  context: { database: Runner },
  query: RequestQuery,
): Promise<RequestList> {
  const page = readPage(query);
  const rows = await listRequests(context.database, { ...query, ...readDateRange(query) }, page);
  return { requests: rows.map(showRequest), next_cursor: nextCursor(rows, page) };
}

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

function showRequest({ cost, reported_cost, created_at, tool, ...row }: RequestRow): RequestLine {
  return {
    ...row,
    tool: tool as RequestLine['tool'],
    cost_usd: usd(cost),
    reported_cost_usd: reported_cost === null ? null : usd(reported_cost),
    created_at: iso(created_at),
  };
}
