// What operators read: lists of requests and transfers from new to old, and sums of usage.
import type { Transfer } from '../domain/ledger/book.ts';
import type { Row, Runner } from '../platform/database.ts';
import { after, whereAll } from './filters.ts';
import type { Filter, Place } from './filters.ts';
import { readTransfer } from './ledger.ts';
import { usage_by_day } from './requests.ts';
import type { RequestRow } from './requests.ts';

export interface Page {
  place?: Place | undefined;
  limit: number;
}

/** Moments in milliseconds; `before` is not included. */
export interface Span {
  from?: number | undefined;
  before?: number | undefined;
}

export interface TransferFilter extends Span {
  account_id?: string | undefined;
  key_id?: string | undefined;
  kind?: string | undefined;
}

export async function listTransfers(
  on: Runner,
  filter: TransferFilter,
  { place, limit }: Page,
): Promise<Transfer[]> {
  const where = whereAll([
    { text: 'account_id = ?', values: [filter.account_id] },
    { text: 'key_id = ?', values: [filter.key_id] },
    { text: 'kind = ?', values: [filter.kind] },
    ...within(filter),
    after(place),
  ]);
  const rows = await on.run(
    `select id, kind, account_id, amount, hold_id, key_id, reason, created_at
     from transfers${where.text} order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readTransfer);
}

export interface RequestFilter extends Span {
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
  { place, limit }: Page,
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
    after(place),
  ]);
  const rows = await on.run(
    `select id, account_id, key_id, tool, provider, status, error_type, warnings, cost,
       reported_cost, latency_ms, created_at
     from requests${where.text} order by created_at desc, id desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readRequest);
}

export interface UsageFilter {
  account_id?: string | undefined;
  key_id?: string | undefined;
  /** Days since 1970, both included. */
  from_day?: number | undefined;
  to_day?: number | undefined;
}

export const usage_columns = {
  day: 'day',
  provider: 'provider',
  key: 'key_id',
  tool: 'tool',
  account: 'account_id',
} as const;

export interface UsageSum {
  group: string | number;
  requests: number;
  failures: number;
  cost: number;
}

export async function sumUsage(
  on: Runner,
  filter: UsageFilter,
  by: keyof typeof usage_columns,
): Promise<UsageSum[]> {
  const column = usage_columns[by];
  const where = whereAll([
    { text: 'account_id = ?', values: [filter.account_id] },
    { text: 'key_id = ?', values: [filter.key_id] },
    { text: 'day >= ?', values: [filter.from_day] },
    { text: 'day <= ?', values: [filter.to_day] },
  ]);
  const rows = await on.run(
    `select ${column} as place, sum(requests) as requests, sum(failures) as failures,
       sum(cost) as cost
     from ${usage_by_day}${where.text} group by ${column} order by ${column} limit ${max_groups}`,
    where.values,
  );
  return rows.map((row) => ({
    group: by === 'day' ? Number(row['place']) : String(row['place']),
    requests: Number(row['requests']),
    failures: Number(row['failures']),
    cost: Number(row['cost']),
  }));
}

const max_groups = 10_000;

function within({ from, before }: Span): Filter[] {
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
