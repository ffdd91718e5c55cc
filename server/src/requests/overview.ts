// What the dashboard's overview shows of the log, and the health of providers, from usage sums and
// samples of the log.
import {
  GatewayError,
  type Latency,
  type Overview,
  type OverviewPart,
  type OverviewPoint,
  type OverviewQuery,
  type ProviderHourList,
  providerIds,
  type ProviderRecord,
  type ProviderRecordList,
} from '@trivium/contract';
import type { KeptLog } from './context.ts';
import { outcomeOf } from '@trivium/contract/outcomes';
import { hourOf } from './core/days.ts';
import { addUsage, type UsageSums } from './core/request-row.ts';
import {
  costSeries,
  spanDays,
  latencySeries,
  maxSeries,
  type Part,
  type Slots,
  slotsOf,
  sumOf,
  sumsForReport,
  weightedPercentile,
  zonedSlotsOf,
} from './core/series.ts';
import { dayMs, hourMs } from '@trivium/contract/durations';
import {
  countLogParts,
  listAnswerTimes,
  sumSince,
  listUsage,
  maxCounted,
  type Sample,
  sampleRequests,
  sampleSlots,
  type SlotSample,
} from './store/samples.ts';
import { listProviderHours } from './store/usage.ts';
import { logKeptMs } from '../settings/index.ts';
import { iso, type Runner } from '../store/index.ts';

const sampleSize = 2000;
const timedSize = 6000;

/**
 * Days of another zone are counted from the request log, because usage is kept by UTC days.
 * Undefined if the log does not reach back that far, or has too many requests (`known`).
 */
async function readZoned(
  { database, clock, settings }: KeptLog,
  { account_id, span, zone }: OverviewQuery,
  known: number,
) {
  if (span === '24h' || zone === 'UTC' || known > maxCounted) return undefined;
  const now = clock.now().getTime();
  const slots = zonedSlotsOf(span, now, zone);
  if (slots.from < now - logKeptMs(settings)) return undefined;
  const parts = await countLogParts(database.reader, account_id, slots.list);
  // The previous range ends as far into its last day as the current one. If the log does not reach
  // back that far, UTC days are used.
  const until = now - spanDays[span] * dayMs;
  const { from } = zonedSlotsOf(span, until, zone);
  const isKept = from >= now - logKeptMs(settings);
  const range = [{ at: from, until }];
  const earlier = isKept ? await countLogParts(database.reader, account_id, range) : undefined;
  // In counts from the log, the unit of a part is already the index of its interval.
  return parts && { list: slots.list, slotOf: Number, parts, earlier };
}

export async function readUsageOverview(
  context: KeptLog,
  query: OverviewQuery,
): Promise<Omit<Overview, 'balance_usd' | 'held_usd'>> {
  const { account_id, span } = query;
  const { reader } = context.database;
  const whole = slotsOf(span, context.clock.now().getTime());
  const unit = whole.unitMs === hourMs ? 'hour' : 'day';
  const of = { unit, account_id } as const;
  const all = await listUsage(reader, { ...of, from: whole.before }, 'tool');
  const ofRange = all.filter(({ unit }) => unit >= whole.first);
  const zoned = await readZoned(context, query, sumOf(ofRange).requests);
  const slots = zoned ?? whole;
  const timed = await sampleSlots(reader, account_id, slots.list, timedSize);
  const parts: readonly Part[] = zoned?.parts ?? ofRange;
  const inRange = { ...of, from: whole.first };
  const [keyParts, keySums] = zoned
    ? [zoned.parts, zoned.parts]
    : await Promise.all([
        listUsage(reader, inRange, { keys: maxSeries }),
        listUsage(reader, inRange, 'key'),
      ]);
  const bySlot = Map.groupBy(parts, ({ unit }) => slots.slotOf(unit));
  const requestsAt = (place: number) => sumOf(bySlot.get(place) ?? []).requests;
  const sample = weigh(timed, requestsAt);
  return {
    span,
    zone: zoned || span === '24h' ? query.zone : 'UTC',
    total: sumsForReport(sumOf(parts)),
    previous: sumsForReport(zoned?.earlier ? sumOf(zoned.earlier) : previousOf(all, whole)),
    points: slots.list.map(({ at, until }, place): OverviewPoint => ({
      at: iso(at),
      until: iso(until),
      ...sumsForReport(sumOf(bySlot.get(place) ?? [])),
    })),
    by_tool: grouped(parts, ({ tool }) => tool),
    by_provider: grouped(parts, ({ provider }) => provider),
    by_key: grouped(keySums, ({ key_id }) => key_id),
    cost_by_provider: costSeries(parts, slots, ({ provider }) => provider),
    cost_by_key: costSeries(keyParts, slots, ({ key_id }) => key_id),
    latency: latencyOf(sample),
    latency_by_provider: recordsOf(sample),
    latency_over_time: latencySeries(timed.filter(isMeasured), slots.list.length),
  };
}

export async function readProviderRecords({
  database,
}: Pick<KeptLog, 'database'>): Promise<ProviderRecordList> {
  const sample = await sampleRequests(database.reader, sampleSize);
  return { records: recordsOf(sample) };
}

/** The latest times in which providers answered, newest first. */
export function readAnswerTimes(on: Runner, of: Parameters<typeof listAnswerTimes>[1]) {
  return listAnswerTimes(on, of, sampleSize);
}

/** Changes with every request and every cost of an account. */
export async function readUsageVersion(
  { database, clock }: Pick<KeptLog, 'database' | 'clock'>,
  accountId: string,
): Promise<string> {
  const hour = hourOf(clock.now().getTime());
  const { requests, failures, cost } = await sumSince(database.reader, accountId, hour - 1);
  return [hour, requests, failures, cost].join('-');
}

const hoursOfProvider = 30 * 24;

export async function readProviderHours(
  { database, clock }: Pick<KeptLog, 'database' | 'clock'>,
  id: string,
): Promise<ProviderHourList> {
  const provider = providerIds.find((known) => known === id);
  if (!provider) throw new GatewayError('not_found', `There is no provider ${id}.`);
  const first = hourOf(clock.now().getTime()) - hoursOfProvider + 1;
  const hours = await listProviderHours(database.reader, provider, first);
  return {
    provider,
    hours: hours.map(({ hour, served, failed, answers, answer_ms }) => ({
      at: iso(hour * hourMs),
      served,
      failed,
      mean_ms: answers === 0 ? null : Math.round(answer_ms / answers),
    })),
  };
}

/** The last day of this range is not over, so only the same part of the corresponding day counts. */
function previousOf(all: readonly Part[], { first, elapsed }: Slots): UsageSums {
  const before = all.filter(({ unit }) => unit < first);
  const last = sumOf(before.filter(({ unit }) => unit === first - 1));
  return addUsage(sumOf(before), last, elapsed - 1);
}

function grouped(parts: readonly Part[], groupOf: (part: Part) => string): OverviewPart[] {
  const groups = Map.groupBy(parts, groupOf);
  return [...groups]
    .map(([group, members]) => ({ group, ...sumsForReport(sumOf(members)) }))
    .sort((one, other) => other.cost_usd - one.cost_usd || other.requests - one.requests);
}

/** Requests that the gateway refused say nothing about the provider that was chosen for them. */
function recordsOf(sample: readonly Sample[]): ProviderRecord[] {
  const called = sample.filter((one) => outcomeIn(one) !== 'refused');
  const groups = Map.groupBy(called, ({ provider }) => provider);
  return [...groups]
    .flatMap(([id, own]) => (id === '' ? [] : [{ id, ...latencyOf(own) }]))
    .sort((one, other) => other.requests - one.requests);
}

function outcomeIn({ status, error_type }: Sample) {
  return outcomeOf(status, error_type);
}

/** An accepted job is not done yet, so the latency of its request is not comparable. */
const accepted = 202;

function isMeasured({ status }: Sample): boolean {
  return status < 400 && status !== accepted;
}

/** Each point has the same sample size, so a request at a busy point counts as several. */
function weigh(timed: readonly SlotSample[], requestsAt: (slot: number) => number): Sample[] {
  const slots = Map.groupBy(timed, ({ slot }) => slot);
  return [...slots].flatMap(([slot, own]) => {
    const weight = Math.max(1, requestsAt(slot) / own.length);
    return own.map((one) => ({ ...one, weight }));
  });
}

function latencyOf(sample: readonly Sample[]): Latency {
  const times = sample
    .filter(isMeasured)
    .map(({ latency_ms: value, weight = 1 }) => ({ value, weight }));
  return {
    requests: sample.length,
    failures: sample.filter((one) => outcomeIn(one) === 'failed').length,
    p50_ms: weightedPercentile(times, 0.5),
    p95_ms: weightedPercentile(times, 0.95),
  };
}
