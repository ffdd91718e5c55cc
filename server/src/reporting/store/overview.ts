// Statements of the dashboard's overview; each reads a bounded number of rows.
import { type Row, type Runner, whereAll } from '../../store/index.ts';
import { readUsage, usageByDay } from '../../requests/index.ts';
import type { Usage } from '../../requests/core/index.ts';

/** Usage of one hour, or of one day. */
interface UnitPart extends Usage {
  unit: number;
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
): Promise<UnitPart[]> {
  const rows = await on.run(
    `select day, key_id, tool, provider, sum(requests) as requests, sum(failures) as failures,
       sum(cost) as cost
     from ${usageByDay} where account_id = $1 and day >= $2
     group by day, key_id, tool, provider limit ${maxParts}`,
    [accountId, fromDay],
  );
  return rows.map((row) => ({ unit: Number(row['day']), ...readUsage(row) }));
}

export async function listHourParts(
  on: Runner,
  accountId: string,
  fromHour: number,
): Promise<UnitPart[]> {
  const rows = await on.run(
    `select hour, key_id, tool, provider, requests, failures, cost from usage_recent
     where account_id = $1 and hour >= $2 limit ${maxParts}`,
    [accountId, fromHour],
  );
  return rows.map((row) => ({ unit: Number(row['hour']), ...readUsage(row) }));
}

/** The latest requests, of one account or of all, since a time if there is one. */
export async function sampleRequests(
  on: Runner,
  { account_id, since }: { account_id?: string; since?: number },
  limit: number,
): Promise<Sample[]> {
  const where = whereAll([
    { text: 'account_id = ?', values: [account_id] },
    { text: 'created_at >= ?', values: [since] },
  ]);
  const rows = await on.run(
    `select coalesce(provider, '') as provider, status, latency_ms from requests${where.text}
     order by created_at desc limit ${Math.trunc(limit)}`,
    where.values,
  );
  return rows.map(readSample);
}

interface SlotSample extends Sample {
  slot: number;
}

/** The latest requests of each interval, about `limit` in all. */
export async function sampleSlots(
  on: Runner,
  accountId: string,
  slots: readonly { at: number; until: number }[],
  limit: number,
): Promise<SlotSample[]> {
  const each = Math.ceil(limit / slots.length);
  const parts = slots.map(
    (_, slot) => `select slot, provider, status, latency_ms from (
       select ${slot} as slot, coalesce(provider, '') as provider, status, latency_ms
       from requests
       where account_id = $1 and created_at >= $${2 * slot + 2} and created_at < $${2 * slot + 3}
       order by created_at desc limit ${each}) as sample_${slot}`,
  );
  const bounds = slots.flatMap(({ at, until }) => [at, until]);
  const rows = await on.run(parts.join(' union all '), [accountId, ...bounds]);
  return rows.map((row) => ({ slot: Number(row['slot']), ...readSample(row) }));
}

function readSample(row: Row): Sample {
  return {
    provider: String(row['provider']),
    status: Number(row['status']),
    latency_ms: Number(row['latency_ms']),
  };
}
