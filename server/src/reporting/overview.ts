// The dashboard's overview and the health of providers, from usage sums and a sample of the log.
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
import { isFailure } from '../billing/core/failure.ts';
import { dayOf } from '../billing/core/book.ts';
import { usd } from '../billing/core/money.ts';
import { percentile } from './core/percentile.ts';
import { listDayParts, listHourParts, sampleRequests } from './store/overview.ts';
import type { Sample } from './store/overview.ts';
import { readBalance } from '../billing/balance.ts';
import type { BalanceContext } from '../billing/context.ts';
import type { Clock } from '../platform/clock.ts';
import type { Runner } from '../store/database.ts';
import type { UsageSums } from '../billing/core/request-row.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const sampleSize = 2000;
const hoursShown = 24;
const daysShown: Readonly<Record<Exclude<OverviewSpan, '24h'>, number>> = {
  '7d': 7,
  '30d': 30,
  '90d': 90,
};

export async function readOverview(
  context: BalanceContext & { clock: Clock },
  query: OverviewQuery,
): Promise<Overview> {
  const { account_id, span } = query;
  const { database } = context;
  const now = context.clock.now().getTime();
  const [parts, balance] = await Promise.all([
    span === '24h'
      ? lastHours(database, account_id, now)
      : lastDays(database, account_id, now, daysShown[span]),
    readBalance(context, { account_id, key_id: '' }),
  ]);
  const { slots, stepMs } = parts;
  const since = (slots[0] ?? 0) * stepMs;
  const sample = await sampleRequests(database, { account_id, since }, sampleSize);
  const total = sumOf(parts.list);
  return {
    span,
    balance_usd: balance.balance_usd,
    held_usd: balance.held_usd,
    total: shown(total),
    points: slots.map((slot): OverviewPoint => ({
      at: new Date(slot * stepMs).toISOString(),
      ...shown(sumOf(parts.list.filter((part) => part.slot === slot))),
    })),
    by_tool: grouped(parts.list, ({ tool }) => tool),
    by_provider: grouped(parts.list, ({ provider }) => provider),
    by_key: grouped(parts.list, ({ key_id }) => key_id),
    latency: latencyOf(sample),
    latency_by_provider: recordsOf(sample),
  };
}

export async function readProviderRecords(context: {
  database: Runner;
}): Promise<ProviderRecordList> {
  const sample = await sampleRequests(context.database, {}, sampleSize);
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
  /** Every hour or day of the span, also those without requests. */
  slots: number[];
  stepMs: number;
}

async function lastHours(on: Runner, accountId: string, now: number): Promise<Parts> {
  const last = Math.floor(now / hourMs);
  const slots = upTo(last, hoursShown);
  const parts = await listHourParts(on, accountId, slots[0] ?? last);
  return { list: parts.map((part) => ({ ...part, slot: part.hour })), slots, stepMs: hourMs };
}

async function lastDays(on: Runner, accountId: string, now: number, days: number): Promise<Parts> {
  const last = dayOf(now);
  const slots = upTo(last, days);
  const parts = await listDayParts(on, accountId, slots[0] ?? last);
  return { list: parts.map((part) => ({ ...part, slot: part.day })), slots, stepMs: dayMs };
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

/** What the gateway refused says nothing about the provider that was chosen for it. */
function recordsOf(sample: readonly Sample[]): ProviderRecord[] {
  const called = sample.filter(({ status }) => status < 400 || isFailure(status));
  const groups = Map.groupBy(called, ({ provider }) => provider);
  return [...groups]
    .flatMap(([id, own]) => (id === '' ? [] : [{ id, ...latencyOf(own) }]))
    .sort((one, other) => other.requests - one.requests);
}

/** A job that was accepted is not done, so its request has no latency that compares. */
const accepted = 202;

function latencyOf(sample: readonly Sample[]): Latency {
  const served = sample.filter(({ status }) => status < 400 && status !== accepted);
  const times = served.map(({ latency_ms }) => latency_ms);
  return {
    requests: sample.length,
    failures: sample.filter(({ status }) => isFailure(status)).length,
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
  };
}
