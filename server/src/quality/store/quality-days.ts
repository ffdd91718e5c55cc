// What was observed of each engine: one row for each account, engine, class of searches and day.
import { adding, deleteSteps, type Runner, table, text, textOf, whole } from '../../store/index.ts';
import type { QualityDay, QualitySource } from '../core/quality-day.ts';
import { mondayOf } from '../../requests/core/index.ts';
import { noteChange } from './quality-changes.ts';

const key = 'account_id, day, source, engine, tool, language, category, freshness';

const days = table('quality_days', {
  account_id: text,
  day: whole,
  source: textOf<QualitySource>(),
  engine: text,
  tool: text,
  language: text,
  category: text,
  freshness: text,
  observations: whole,
  quality: whole,
  squares: whole,
  calls: whole,
  failures: whole,
  cost: whole,
  latency_ms: whole,
  useful: whole,
});

const numbers = ['observations', 'quality', 'squares', 'calls', 'failures', 'cost', 'latency_ms'];
const addRows = days.insert({
  end: `order by ${key} ${adding('quality_days', key, [...numbers, 'useful'])}`,
});

/**
 * Adds to the rows, in a transaction. No two entries of `added` may belong to the same row. Notes
 * which weeks changed, so that their totals are computed again.
 */
export async function addToQualityDays(on: Runner, added: readonly QualityDay[]): Promise<void> {
  await addRows(
    on,
    added.map(({ class: searches, ...day }) => ({ ...day, ...searches })),
  );
  const weeks = new Set(added.map(({ day }) => mondayOf(day)));
  for (const week of [...weeks].sort((one, other) => one - other)) await noteChange(on, week);
}

/** Returns how many rows were deleted. */
export const deleteOldQualityDays = deleteSteps({
  table: 'quality_days',
  key,
  due: 'day < $1',
  order: 'day',
});
