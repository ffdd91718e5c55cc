// What was observed of each engine: one row for each account, engine, class of searches and day.
import { adding, expiring, type Runner, table, text, textOf, whole } from '../../store/index.ts';
import { dayMs } from '@trivium/contract/durations';
import type { QualityDay, QualitySource } from '../core/quality-day.ts';
import { dayOf, mondayOf } from '../../requests/core/index.ts';
import { noteChange } from './quality-changes.ts';

const key = 'account_id, day, source, engine, tool, language, category, freshness';

/** The columns of `quality_days` and of `quality_totals`. */
export const place = {
  day: whole,
  source: textOf<QualitySource>(),
  engine: text,
  tool: text,
  language: text,
  category: text,
  freshness: text,
};
export const counts = {
  observations: whole,
  calls: whole,
  failures: whole,
  cost: whole,
  latency_ms: whole,
  useful: whole,
};

const days = table('quality_days', {
  account_id: text,
  ...place,
  ...counts,
  quality: whole,
  squares: whole,
});

const numbers = [...Object.keys(counts), 'quality', 'squares'];
const addRows = days.insert({ end: `order by ${key} ${adding('quality_days', key, numbers)}` });

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

/** Two years: long enough to compare a season with the previous one. */
const daysKept = 731;

/** Of `quality_days` and of `quality_totals`. */
export const expiringDays = (table: string, tableKey: string) =>
  expiring({
    kind: table,
    keptMs: dayMs,
    table,
    key: tableKey,
    since: 'day',
    at: (now) => dayOf(now) - daysKept,
  });

export const expiredDays = expiringDays('quality_days', key);
