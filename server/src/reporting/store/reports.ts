// Statements of the reports: requests and transfers from newest to oldest, and usage sums.
import type { Transfer } from '../../billing/core/book.ts';
import type { Row, Runner } from '../../store/database.ts';
import { olderThan, whereAll } from '../../store/filters.ts';
import type { Filter } from '../../store/filters.ts';
import { readTransfer } from '../../billing/store/ledger.ts';
import { usageByDay } from '../../billing/store/requests.ts';
import type { RequestRow } from '../../billing/core/request-row.ts';
import type { ListPage } from '../../store/filters.ts';

/** Times in milliseconds; `before` is not included. */
interface TimeRange {
  from?: number | undefined;
  before?: number | undefined;
}

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

interface RequestFilter extends TimeRange {
  id?: string | undefined;
  account_id?: string | undefined;
  key_id?: string | undefined;
  tool?: string | undefined;
  provider?: string | undefined;
  status?: number | undefined;
  error_type?: string | undefined;
}

export async function listRequests(
  on: Runner,
  filter: RequestFilter,
  { position, limit }: ListPage,
): Promise<RequestRow[]> {
  const where = whereAll([
    { text: 'id = ?', values: [filter.id] },
    { text: 'account_id = ?', values: [filter.account_id] },
    { text: 'key_id = ?', values: [filter.key_id] },
    { text: 'tool = ?', values: [filter.tool] },
    { text: 'provider = ?', values: [filter.provider] },
    { text: 'status = ?', values: [filter.status] },
    { text: 'error_type = ?', values: [filter.error_type] },
    ...within(filter),
    olderThan(position),
  ]);
  const rows = await on.run(
    `select id, account_id, key_id, tool, provider, status, error_type, warnings, cost,
       reported_cost, latency_ms, created_at
     from requests${where.text} order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readRequest);
}

interface UsageFilter {
  account_id?: string | undefined;
  key_id?: string | undefined;
  /** Days since 1970, both included. */
  from_day?: number | undefined;
  to_day?: number | undefined;
}

const usageColumns = {
  day: 'day',
  provider: 'provider',
  key: 'key_id',
  tool: 'tool',
  account: 'account_id',
} as const;

interface UsageSum {
  group: string | number;
  requests: number;
  failures: number;
  cost: number;
}

export async function sumUsage(
  on: Runner,
  filter: UsageFilter,
  by: keyof typeof usageColumns,
): Promise<UsageSum[]> {
  const column = usageColumns[by];
  const where = whereAll([
    { text: 'account_id = ?', values: [filter.account_id] },
    { text: 'key_id = ?', values: [filter.key_id] },
    { text: 'day >= ?', values: [filter.from_day] },
    { text: 'day <= ?', values: [filter.to_day] },
  ]);
  const rows = await on.run(
    `select ${column} as bucket, sum(requests) as requests, sum(failures) as failures,
       sum(cost) as cost
     from ${usageByDay}${where.text} group by ${column} order by ${column} limit ${maxGroups}`,
    where.values,
  );
  return rows.map((row) => ({
    group: by === 'day' ? Number(row['bucket']) : String(row['bucket']),
    requests: Number(row['requests']),
    failures: Number(row['failures']),
    cost: Number(row['cost']),
  }));
}

const maxGroups = 10_000;

function within({ from, before }: TimeRange): Filter[] {
  return [
    { text: 'created_at >= ?', values: [from] },
    { text: 'created_at < ?', values: [before] },
  ];
}

function readRequest(row: Row): RequestRow {
  const { provider, error_type, reported_cost } = row;
  return {
    id: String(row['id']),
    account_id: String(row['account_id']),
    key_id: String(row['key_id']),
    tool: String(row['tool']),
    provider: typeof provider === 'string' ? provider : null,
    status: Number(row['status']),
    error_type: typeof error_type === 'string' ? error_type : null,
    warnings: Number(row['warnings']),
    cost: Number(row['cost']),
    reported_cost: reported_cost === null ? null : Number(reported_cost),
    latency_ms: Number(row['latency_ms']),
    created_at: Number(row['created_at']),
  };
}
