// What an operator reads: requests, ledger lines and sums of usage.
import type {
  RequestLine,
  RequestList,
  RequestQuery,
  TransferList,
  TransferQuery,
  UsageQuery,
  UsageReport,
} from '@trivium/contract';
import { dayOf } from '../domain/ledger/book.ts';
import { usd } from '../domain/money.ts';
import { listRequests, listTransfers, sumUsage } from '../store/reports.ts';
import type { RequestRow } from '../store/requests.ts';
import { showTransfer } from './admin-accounts.ts';
import { iso, nextCursor, pageOf, spanOf } from './admin-pages.ts';
import type { House } from './house.ts';

const day_ms = 86_400_000;

export async function readRequests(house: House, query: RequestQuery): Promise<RequestList> {
  const page = pageOf(query);
  const rows = await listRequests(house.database, { ...query, ...spanOf(query) }, page);
  return { requests: rows.map(showRequest), next_cursor: nextCursor(rows, page) };
}

export async function readTransfers(house: House, query: TransferQuery): Promise<TransferList> {
  const page = pageOf(query);
  const rows = await listTransfers(house.database, { ...query, ...spanOf(query) }, page);
  return { transfers: rows.map(showTransfer), next_cursor: nextCursor(rows, page) };
}

export async function readUsage(house: House, query: UsageQuery): Promise<UsageReport> {
  const { account_id, key_id, by, from, to } = query;
  const days = {
    from_day: from === undefined ? undefined : dayOf(Date.parse(from)),
    to_day: to === undefined ? undefined : dayOf(Date.parse(to)),
  };
  const sums = await sumUsage(house.database, { account_id, key_id, ...days }, by);
  return {
    by,
    usage: sums.map(({ group, requests, failures, cost }) => ({
      group: typeof group === 'number' ? iso(group * day_ms).slice(0, 10) : group,
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
