// What was observed of each engine: one row for each account, engine, class of searches and day.
import { deleteSteps, rowStatement, type Runner } from '../../store/index.ts';
import type { QualityDay } from '../core/quality-day.ts';
import { mondayOf } from '../../requests/core/index.ts';
import { noteChange } from './quality-changes.ts';

const [text, whole] = ['text', 'bigint'] as const;

const addStatement = rowStatement(
  [
    ...[text, whole, text, text, text, text, text, text],
    ...[whole, whole, whole, whole, whole, whole, whole, whole],
  ],
  (table) => `insert into quality_days (account_id, day, source, engine, tool, language, category,
       freshness, observations, quality, squares, calls, failures, cost, latency_ms, useful)
     select column1, column2, column3, column4, column5, column6, column7, column8, column9,
       column10, column11, column12, column13, column14, column15, column16
     from ${table} where column1 is not null
     order by column1, column2, column3, column4, column5, column6, column7, column8
     on conflict (account_id, day, source, engine, tool, language, category, freshness)
     do update set
       observations = quality_days.observations + excluded.observations,
       quality = quality_days.quality + excluded.quality,
       squares = quality_days.squares + excluded.squares,
       calls = quality_days.calls + excluded.calls,
       failures = quality_days.failures + excluded.failures,
       cost = quality_days.cost + excluded.cost,
       latency_ms = quality_days.latency_ms + excluded.latency_ms,
       useful = quality_days.useful + excluded.useful`,
);

/** Both engines limit the number of values in one statement. */
const maxRows = 512;

/**
 * Adds to the rows, in a transaction. No two entries of `days` may belong to the same row. Notes
 * which weeks changed, so that their totals are computed again.
 */
export async function addToQualityDays(on: Runner, days: readonly QualityDay[]): Promise<void> {
  for (let from = 0; from < days.length; from += maxRows) {
    const values = days
      .slice(from, from + maxRows)
      .map((one) => [
        ...[one.account_id, one.day, one.source, one.engine],
        ...[one.class.tool, one.class.language, one.class.category, one.class.freshness],
        ...[one.observations, one.quality, one.squares, one.calls, one.failures],
        ...[one.cost, one.latency_ms, one.useful],
      ]);
    await on.run(...addStatement(values));
  }
  const weeks = new Set(days.map(({ day }) => mondayOf(day)));
  for (const week of [...weeks].sort((one, other) => one - other)) await noteChange(on, week);
}

/** Returns how many rows were deleted. */
export const deleteOldQualityDays = deleteSteps({
  table: 'quality_days',
  key: 'account_id, day, source, engine, tool, language, category, freshness',
  due: 'day < $1',
  order: 'day',
});
