// The results of each provider by the hour, for all accounts: hours that are no longer in the
// recent usage, and hours that still are.
import { deleteSteps, type Row, rowStatement, type Runner } from '../../store/index.ts';
import type { ProviderHour } from '../core/request-row.ts';

const [text, whole] = ['text', 'bigint'] as const;

const addStatement = rowStatement(
  [text, whole, whole, whole, whole, whole],
  (table) => `insert into provider_hours (provider, hour, served, failed, answers, answer_ms)
     select column1, column2, column3, column4, column5, column6
     from ${table} where column1 is not null
     on conflict (provider, hour) do update set
       served = provider_hours.served + excluded.served,
       failed = provider_hours.failed + excluded.failed,
       answers = provider_hours.answers + excluded.answers,
       answer_ms = provider_hours.answer_ms + excluded.answer_ms`,
);

/** Rows are written in a fixed order, so that two gateways cannot deadlock. */
export async function addToProviderHours(
  on: Runner,
  hours: readonly ProviderHour[],
): Promise<void> {
  const sorted = hours.toSorted(
    (one, other) => one.hour - other.hour || (one.provider < other.provider ? -1 : 1),
  );
  const values = sorted.map(({ provider, hour, served, failed, answers, answer_ms }) => [
    provider,
    hour,
    served,
    failed,
    answers,
    answer_ms,
  ]);
  await on.run(...addStatement(values));
}

/** Hours without a request that reached the provider have no row. Oldest first. */
export async function listProviderHours(
  on: Runner,
  provider: string,
  fromHour: number,
): Promise<Omit<ProviderHour, 'provider'>[]> {
  const rows = await on.run(
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
  return rows.map((row: Row) => ({
    hour: Number(row['hour']),
    served: Number(row['served']),
    failed: Number(row['failed']),
    answers: Number(row['answers']),
    answer_ms: Number(row['answer_ms']),
  }));
}

export const deleteOldProviderHours = deleteSteps({
  table: 'provider_hours',
  key: 'provider, hour',
  due: 'hour < $1',
  order: 'hour',
});
