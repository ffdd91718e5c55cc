// The results of each provider by the hour, for all accounts: hours that are no longer in the
// recent usage, and hours that still are.
import { dayMs } from '@trivium/contract/durations';
import {
  adding,
  expiring,
  query,
  reader,
  type Runner,
  table,
  text,
  whole,
} from '../../store/index.ts';
import { hourOf } from '../core/days.ts';
import type { ProviderHour } from '../core/request-row.ts';

const counts = { hour: whole, served: whole, failed: whole, answers: whole, answer_ms: whole };
const hourRows = table('provider_hours', { provider: text, ...counts });
const readHour = reader(counts);

const addRows = hourRows.insert({
  end: adding('provider_hours', 'provider, hour', ['served', 'failed', 'answers', 'answer_ms']),
});

/** Rows are written in a fixed order, so that two gateways cannot deadlock. */
export async function addToProviderHours(
  on: Runner,
  hours: readonly ProviderHour[],
): Promise<void> {
  const sorted = hours.toSorted(
    (one, other) => one.hour - other.hour || (one.provider < other.provider ? -1 : 1),
  );
  await addRows(on, sorted);
}

/** Hours without a request that reached the provider have no row. Oldest first. */
export function listProviderHours(
  on: Runner,
  provider: string,
  fromHour: number,
): Promise<Omit<ProviderHour, 'provider'>[]> {
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
