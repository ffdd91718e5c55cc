// The dashboard's first page and the health of providers, from sums and a sample of the log.
import type {
  Latency,
  Overview,
  OverviewPart,
  OverviewPoint,
  OverviewQuery,
  OverviewSpan,
  ProviderRecord,
  ProviderRecordList,
} from '@trivium/contract';
import { isFailure } from '../domain/failure.ts';
import { dayOf } from '../domain/ledger/book.ts';
import { usd } from '../domain/money.ts';
import { percentile } from '../domain/percentile.ts';
import { listDayParts, listHourParts, sampleRequests } from '../store/overview.ts';
import type { Sample } from '../store/overview.ts';
import type { UsageSums } from '../store/requests.ts';
import { readBalance } from './balance.ts';
import type { House } from './house.ts';

const hour_ms = 3_600_000;
const day_ms = 24 * hour_ms;
const sample_size = 2000;
const hours_shown = 24;
const days_shown: Readonly<Record<Exclude<OverviewSpan, '24h'>, number>> = {
  '7d': 7,
  '30d': 30,
  '90d': 90,
};

export async function readOverview(house: House, query: OverviewQuery): Promise<Overview> {
  const { account_id, span } = query;
  const { database } = house;
  const now = house.clock.now().getTime();
  const [parts, sample, balance] = await Promise.all([
    span === '24h'
      ? lastHours(house, account_id, now)
      : lastDays(house, account_id, now, days_shown[span]),
    sampleRequests(database, account_id, sample_size),
    readBalance(house, { account_id, key_id: '' }),
  ]);
  const { slots, step_ms } = parts;
  const total = sumOf(parts.list);
  return {
    span,
    balance_usd: balance.balance_usd,
    held_usd: balance.held_usd,
    total: shown(total),
    points: slots.map((slot): OverviewPoint => ({
      at: new Date(slot * step_ms).toISOString(),
      ...shown(sumOf(parts.list.filter((part) => part.slot === slot))),
    })),
    by_tool: grouped(parts.list, ({ tool }) => tool),
    by_provider: grouped(parts.list, ({ provider }) => provider),
    by_key: grouped(parts.list, ({ key_id }) => key_id),
    latency: latencyOf(sample),
    latency_by_provider: recordsOf(sample),
  };
}

export async function readProviderRecords(house: House): Promise<ProviderRecordList> {
  const sample = await sampleRequests(house.database, undefined, sample_size);
  return { records: recordsOf(sample) };
}

interface Part extends UsageSums {
  slot: number;
  key_id: string;
  tool: string;
  provider: string;
}

interface Parts {
  list: Part[];
  /** Every hour or day shown, busy or not. */
  slots: number[];
  step_ms: number;
}

async function lastHours(house: House, account_id: string, now: number): Promise<Parts> {
  const last = Math.floor(now / hour_ms);
  const slots = upTo(last, hours_shown);
  const parts = await listHourParts(house.database, account_id, slots[0] ?? last);
  return { list: parts.map((part) => ({ ...part, slot: part.hour })), slots, step_ms: hour_ms };
}

async function lastDays(
  house: House,
  account_id: string,
  now: number,
  days: number,
): Promise<Parts> {
  const last = dayOf(now);
  const slots = upTo(last, days);
  const parts = await listDayParts(house.database, account_id, slots[0] ?? last);
  return { list: parts.map((part) => ({ ...part, slot: part.day })), slots, step_ms: day_ms };
}

function upTo(last: number, length: number): number[] {
  return Array.from({ length }, (_, at) => last - length + 1 + at);
}

function grouped(parts: readonly Part[], groupOf: (part: Part) => string): OverviewPart[] {
  const groups = Map.groupBy(parts, groupOf);
  return [...groups]
    .map(([group, members]) => ({ group, ...shown(sumOf(members)) }))
    .sort((one, other) => other.cost_usd - one.cost_usd || other.requests - one.requests);
}

function sumOf(parts: readonly UsageSums[]): UsageSums {
  const sum = { requests: 0, failures: 0, cost: 0 };
  for (const { requests, failures, cost } of parts) {
    sum.requests += requests;
    sum.failures += failures;
    sum.cost += cost;
  }
  return sum;
}

function shown({ requests, failures, cost }: UsageSums) {
  return { requests, failures, cost_usd: usd(cost) };
}

function recordsOf(sample: readonly Sample[]): ProviderRecord[] {
  const groups = Map.groupBy(sample, ({ provider }) => provider);
  return [...groups]
    .flatMap(([id, own]) => (id === '' ? [] : [{ id, ...latencyOf(own) }]))
    .sort((one, other) => other.requests - one.requests);
}

function latencyOf(sample: readonly Sample[]): Latency {
  const times = sample.filter(({ status }) => status < 400).map(({ latency_ms }) => latency_ms);
  return {
    requests: sample.length,
    failures: sample.filter(({ status }) => isFailure(status)).length,
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
  };
}
