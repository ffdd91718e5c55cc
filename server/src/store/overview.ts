// The sums and samples behind the dashboard's first page: bounded, however long the log is.
import type { Runner } from '../platform/database.ts';
import { readUsage, usage_by_day, usage_by_hour } from './requests.ts';
import type { Usage } from './requests.ts';

export interface DayPart extends Usage {
  day: number;
}

export interface HourPart extends Usage {
  hour: number;
}

export interface Sample {
  provider: string;
  status: number;
  latency_ms: number;
}

const max_parts = 50_000;

export async function listDayParts(
  on: Runner,
  account_id: string,
  from_day: number,
): Promise<DayPart[]> {
  const rows = await on.run(
    `select day, key_id, tool, provider, sum(requests) as requests, sum(failures) as failures,
       sum(cost) as cost
     from ${usage_by_day} where account_id = $1 and day >= $2
     group by day, key_id, tool, provider limit ${max_parts}`,
    [account_id, from_day],
  );
  return rows.map((row) => ({ day: Number(row['day']), ...readUsage(row) }));
}

export async function listHourParts(
  on: Runner,
  account_id: string,
  from_hour: number,
): Promise<HourPart[]> {
  const rows = await on.run(
    `select hour, key_id, tool, provider, requests, failures, cost from ${usage_by_hour}
     where account_id = $1 and hour >= $2 limit ${max_parts}`,
    [account_id, from_hour],
  );
  return rows.map((row) => ({ hour: Number(row['hour']), ...readUsage(row) }));
}

/** The latest requests, of one account or of all. */
export async function sampleRequests(
  on: Runner,
  account_id: string | undefined,
  limit: number,
): Promise<Sample[]> {
  const where = account_id === undefined ? '' : ' where account_id = $2';
  const rows = await on.run(
    `select coalesce(provider, '') as provider, status, latency_ms from requests${where}
     order by created_at desc limit $1`,
    account_id === undefined ? [limit] : [limit, account_id],
  );
  return rows.map((row) => ({
    provider: String(row['provider']),
    status: Number(row['status']),
    latency_ms: Number(row['latency_ms']),
  }));
}
