// Statements of the reports: requests and transfers from newest to oldest, and usage sums.
import type { Transfer } from '../../billing/core/book.ts';
import type { Runner } from '../../store/database.ts';
import { olderThan, whereAll, within } from '../../store/filters.ts';
import { readTransfer } from '../../billing/store/ledger.ts';
import { usageByDay } from '../../billing/store/requests.ts';
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
