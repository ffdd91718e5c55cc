// Statements of the dashboard's overview; each reads a bounded number of rows.
import type { Runner } from '../../store/database.ts';
import { readUsage, usageByDay } from '../../billing/store/requests.ts';
import type { Usage } from '../../billing/core/request-row.ts';

interface DayPart extends Usage {
  day: number;
}

interface HourPart extends Usage {
  hour: number;
}

export interface Sample {
  provider: string;
  status: number;
  latency_ms: number;
}

const maxParts = 50_000;

export async function listDayParts(
  on: Runner,
  accountId: string,
  fromDay: number,
): Promise<DayPart[]> {
  const rows = await on.run(
    `select day, key_id, tool, provider, sum(requests) as requests, sum(failures) as failures,
       sum(cost) as cost
     from ${usageByDay} where account_id = $1 and day >= $2
     group by day, key_id, tool, provider limit ${maxParts}`,
    [accountId, fromDay],
  );
  return rows.map((row) => ({ day: Number(row['day']), ...readUsage(row) }));
}

export async function listHourParts(
  on: Runner,
  accountId: string,
  fromHour: number,
): Promise<HourPart[]> {
  const rows = await on.run(
    `select hour, key_id, tool, provider, requests, failures, cost from usage_recent
     where account_id = $1 and hour >= $2 limit ${maxParts}`,
    [accountId, fromHour],
  );
  return rows.map((row) => ({ hour: Number(row['hour']), ...readUsage(row) }));
}

/** The latest requests, of one account or of all. */
export async function sampleRequests(
  on: Runner,
  accountId: string | undefined,
  limit: number,
): Promise<Sample[]> {
  const where = accountId === undefined ? '' : ' where account_id = $2';
  const rows = await on.run(
    `select coalesce(provider, '') as provider, status, latency_ms from requests${where}
     order by created_at desc limit $1`,
    accountId === undefined ? [limit] : [limit, accountId],
  );
  return rows.map((row) => ({
    provider: String(row['provider']),
    status: Number(row['status']),
    latency_ms: Number(row['latency_ms']),
  }));
}
