// Parts of the usage and samples of the log, for the overview, averages and routing. No function
// returns many rows.
import {
  equal,
  orNull,
  query,
  reader,
  type RowOf,
  type Runner,
  text,
  timeFilters,
  whereAll,
  whole,
} from '../../store/index.ts';
import { outcomeOf } from '@trivium/contract/outcomes';
import { log } from './requests.ts';
import { ofUse, readSums, sums, usageByDay } from './usage.ts';
import type { UsageSums } from '../core/request-row.ts';
import type { Part } from '../core/series.ts';

const sample = { provider: text, status: whole, error_type: orNull(text), latency_ms: whole };
const sampled = `coalesce(provider, '') as provider, status, error_type, latency_ms from requests`;
const readSample = reader(sample);

export interface Sample extends RowOf<typeof sample> {
  /** How many requests this row represents. 1 if absent. */
  weight?: number;
}

const usageBy = { day: usageByDay, hour: 'usage_recent' } as const;

interface UnitsOf {
  unit: keyof typeof usageBy;
  account_id: string;
  /** The first hour or day. */
  from: number;
}

/**
 * All usage by hour or day, and by tool and provider: few rows, however many keys there are. Or by
 * key: keys but this many of the costliest are added up under ''. Or of each key, of which an
 * account has a limited number.
 */
export function listUsage(
  on: Runner,
  of: UnitsOf,
  by: 'tool' | 'key' | { keys: number },
): Promise<Part[]> {
  if (by === 'tool') return sumUnits(on, of, "'' as key_id, tool, provider");
  if (by === 'key') return sumUnits(on, of, "key_id, '' as tool, '' as provider", '0');
  const costliest = `select key_id from ${usageBy[of.unit]} where account_id = $1 and ${of.unit} >= $2
    group by key_id order by sum(cost) desc, key_id limit ${Math.trunc(by.keys)}`;
  const key = `case when key_id in (${costliest}) then key_id else '' end`;
  return sumUnits(on, of, `${key} as key_id, '' as tool, '' as provider`);
}

const part = { unit: whole, ...ofUse };
const readPart = reader({ ...part, ...sums });

function sumUnits(
  on: Runner,
  { unit, account_id, from }: UnitsOf,
  place: string,
  at: string = unit,
): Promise<Part[]> {
  return query.rows(
    on,
    readPart,
    `select unit, key_id, tool, provider, sum(requests) as requests, sum(refusals) as refusals,
       sum(failures) as failures, sum(cost) as cost
     from (select ${at} as unit, ${place}, requests, refusals, failures, cost from ${usageBy[unit]}
       where account_id = $1 and ${unit} >= $2) as parts
     group by unit, key_id, tool, provider`,
    [account_id, from],
  );
}

/** The maximum number of log rows that are counted for one report. */
export const maxCounted = 50_000;

/**
 * Counts similar requests of the log, by the columns that `selected` computes. The store adds them
 * up, so few rows leave it. Undefined if there are more requests than `max`.
 */
export async function countLog<C extends Parameters<typeof reader>[0]>(
  on: Runner,
  columns: C,
  selected: string,
  where: ReturnType<typeof whereAll>,
  max: number,
): Promise<(RowOf<C> & UsageSums)[] | undefined> {
  const names = Object.keys(columns).join(', ');
  const rows = await on.run(
    `select ${names}, status, error_type, count(*) as requests, sum(cost) as cost
     from (select ${selected}, status, error_type, cost from requests${where.text}
       limit ${max + 1}) as part
     group by ${names}, status, error_type`,
    where.values,
  );
  const read = reader(columns);
  const counts = rows.map((row) => ({ ...read(row), ...sumsOf(readCounted(row)) }));
  return counts.reduce((sum, { requests }) => sum + requests, 0) > max ? undefined : counts;
}

const counted = { status: whole, error_type: orNull(text), requests: whole, cost: whole };
const readCounted = reader(counted);

function sumsOf({ status, error_type, requests, cost }: RowOf<typeof counted>): UsageSums {
  const outcome = outcomeOf(status, error_type);
  return {
    requests,
    refusals: outcome === 'refused' ? requests : 0,
    failures: outcome === 'failed' ? requests : 0,
    cost,
  };
}

/** The requests of consecutive intervals; the unit of a part is the index of its interval. */
export async function countLogParts(
  on: Runner,
  accountId: string,
  slots: readonly { at: number; until: number }[],
): Promise<Part[] | undefined> {
  const [from, ...starts] = slots.map(({ at }) => at);
  const before = slots.at(-1)?.until;
  if (from === undefined || before === undefined) return [];
  const filters = [...equal({ account_id: accountId }), ...timeFilters({ from, before })];
  const selected = `${placeAmong(starts.length)} as unit, key_id, tool,
    coalesce(provider, '') as provider`;
  return countLog(on, part, selected, whereAll(filters, starts), maxCounted);
}

/**
 * SQL that counts how many of `count` ascending times are not later than a request. The first time
 * is `$place`. A binary search: each comparison halves the remaining times.
 */
function placeAmong(count: number, place = 1, passed = 0): string {
  if (count === 0) return String(passed);
  const half = Math.floor(count / 2);
  return `case when created_at < $${place + half} then ${placeAmong(half, place, passed)}
    else ${placeAmong(count - half - 1, place + half + 1, passed + half + 1)} end`;
}

/** The latest requests of all accounts. */
export function sampleRequests(on: Runner, limit: number): Promise<Sample[]> {
  return query.rows(
    on,
    readSample,
    `select ${sampled} order by created_at desc limit ${Math.trunc(limit)}`,
  );
}

const readSlotSample = reader({ slot: whole, ...sample });

export type SlotSample = ReturnType<typeof readSlotSample>;

/** The latest requests of each interval, about `limit` in all. */
export function sampleSlots(
  on: Runner,
  accountId: string,
  slots: readonly { at: number; until: number }[],
  limit: number,
): Promise<SlotSample[]> {
  const each = Math.ceil(limit / slots.length);
  const parts = slots.map(
    (_, slot) => `select slot, provider, status, error_type, latency_ms from (
       select ${slot} as slot, ${sampled}
       where account_id = $1 and created_at >= $${2 * slot + 2} and created_at < $${2 * slot + 3}
       order by created_at desc limit ${each}) as sample_${slot}`,
  );
  const bounds = slots.flatMap(({ at, until }) => [at, until]);
  return query.rows(on, readSlotSample, parts.join(' union all '), [accountId, ...bounds]);
}

const cost = { requests: whole, cost: whole };
const readCost = reader(cost);

/**
 * Sums only the newest requests of the account, so that a long log costs no more than a short one.
 */
export async function sumCosts(
  on: Runner,
  of: { account_id: string; tool: string; provider: string; newest: number },
): Promise<RowOf<typeof cost>> {
  const [row = {}] = await on.run(
    `select count(*) as requests, coalesce(sum(cost), 0) as cost from (
       select tool, provider, status, cost from requests where account_id = $1
       order by created_at desc, id desc limit $2) as latest
     where tool = $3 and provider = $4 and status < 300 and cost > 0`,
    [of.account_id, of.newest, of.tool, of.provider],
  );
  return readCost(row);
}

/** `at` is when it was answered, in milliseconds. */
const readAnswerTime = reader({ provider: text, latency_ms: whole, at: whole });

/** How many of the latest rows are read. */
const maxLatest = 20_000;

/** Only answers that a provider was paid for: none from the cache, and no replays. */
export function listAnswerTimes(
  on: Runner,
  { tool, since }: { tool: 'search' | 'extract'; since: number },
  limit: number,
): Promise<ReturnType<typeof readAnswerTime>[]> {
  return query.rows(
    on,
    readAnswerTime,
    `select provider, latency_ms, at from (
       select tool, status, paid_by, provider, latency_ms, created_at as at, id from requests
       where created_at >= $1 order by created_at desc, id desc limit ${maxLatest}) as latest
     where tool = $2 and status = 200 and paid_by = 'settle'
     order by at desc, id desc limit ${Math.trunc(limit)}`,
    [since, tool],
  );
}

/**
 * Grows with every request and every cost, in whatever order gateways book them. The time of the
 * latest request would miss what is booked late.
 */
export async function sumSince(
  on: Runner,
  accountId: string,
  fromHour: number,
): Promise<UsageSums> {
  const [row = {}] = await on.run(
    `select sum(requests) as requests, sum(refusals) as refusals, sum(failures) as failures,
       sum(cost) as cost
     from usage_recent where account_id = $1 and hour >= $2`,
    [accountId, fromHour],
  );
  return readSums(row);
}

const readServed = reader({
  key_id: text,
  provider: text,
  created_at: whole,
  cost: whole,
  latency_ms: whole,
  detail: orNull(text),
});

/** An answered search of an account, if it is in the log. */
export function findServedSearch(
  on: Runner,
  id: string,
  accountId: string,
): Promise<ReturnType<typeof readServed> | undefined> {
  return query.row(
    on,
    readServed,
    `select key_id, provider, created_at, cost, latency_ms, detail from requests
     where id = $1 and account_id = $2 and tool = 'search' and error_type is null`,
    [id, accountId],
  );
}

/** What requests were for. `asked` is null if it is not kept. */
export const findPurposes = log
  .pick('id', 'tool', 'provider', 'asked', 'detail', 'created_at')
  .ofIds('id');
