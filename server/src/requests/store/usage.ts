// Usage of the gateway: by hour, folded into days that are kept longer, by tag value and day, and
// the results of each provider by hour.
import { dayMs } from '@trivium/contract/durations';
import {
  expiring,
  query,
  reader,
  type RowOf,
  type Runner,
  sumsTable,
  text,
  whole,
} from '../../store/index.ts';
import { hourOf } from '../core/days.ts';

export const ofUse = { key_id: text, tool: text, provider: text };
export const sums = { requests: whole, refusals: whole, failures: whole, cost: whole };
/** Searches and extractions that a provider was paid for, and their total latency. */
const answers = { answers: whole, answer_ms: whole };

/** Hours and days are counted since 1970. Old hours are folded into their days. */
export const usageHours = sumsTable(
  'usage_recent',
  { account_id: text, hour: whole, ...ofUse },
  { ...sums, ...answers },
);
export const usageDays = sumsTable('usage_days', { account_id: text, day: whole, ...ofUse }, sums);

/** Usage by day. A day may have several rows. */
export const usageByDay = `(
  select account_id, day, key_id, tool, provider, requests, refusals, failures, cost
  from usage_days
  union all
  select account_id, hour / 24 as day, key_id, tool, provider, requests, refusals, failures, cost
  from usage_recent) as usage`;

export const readSums = reader(sums);

/**
 * By tag value and day, kept as long as the request log. Then days are folded into the day
 * `foldedDay`.
 */
export const tagUsage = sumsTable(
  'usage_tags',
  { account_id: text, tag: text, day: whole, value: text, key_id: text },
  sums,
);

const results = { served: whole, failed: whole, ...answers };

/** For all accounts. Hours that are still in the recent usage have no row. */
export const providerHours = sumsTable(
  'provider_hours',
  { provider: text, hour: whole },
  results,
  true,
);

const resultsOfHour = { hour: whole, ...results };
const readHour = reader(resultsOfHour);

/** Hours without a request that reached the provider have no row. Oldest first. */
export function listProviderHours(
  on: Runner,
  provider: string,
  fromHour: number,
): Promise<RowOf<typeof resultsOfHour>[]> {
  return query.rows(
    on,
    readHour,
    `select hour, sum(served) as served, sum(failed) as failed, sum(answers) as answers,
       sum(answer_ms) as answer_ms
     from (
       select hour, served, failed, answers, answer_ms from provider_hours
       where provider = $1 and hour >= $2
       union all
       select hour, requests - refusals - failures as served, failures as failed, answers, answer_ms
       from usage_recent where provider = $1 and hour >= $2) as hours
     group by hour having sum(served) + sum(failed) > 0 order by hour`,
    [provider, fromHour],
  );
}

/** The dashboard shows a provider by hour for 30 days. */
const hoursKept = 31 * 24;

export const expiredHours = expiring({
  keptMs: dayMs,
  table: 'provider_hours',
  key: 'provider, hour',
  since: 'hour',
  at: (now) => hourOf(now) - hoursKept,
});
