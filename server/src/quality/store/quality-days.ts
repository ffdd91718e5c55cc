// What was observed of each engine: one row for each account, engine, class of searches and day.
import { dayMs } from '@trivium/contract/durations';
import { dayOf, mondayOf } from '../../requests/core/index.ts';
import {
  adding,
  expiring,
  type RowOf,
  type Runner,
  table,
  text,
  textOf,
  whole,
} from '../../store/index.ts';
import type { QualityDay, QualitySource } from '../core/quality-day.ts';

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

export const numbers = [...Object.keys(counts), 'quality', 'squares'];
const addDays = days.insert({ end: `order by ${key} ${adding('quality_days', key, numbers)}` });

/**
 * Adds to the rows, in a transaction. No two entries of `added` may belong to the same row. Notes
 * which weeks changed, so that their totals are computed again.
 */
export async function addToQualityDays(on: Runner, added: readonly QualityDay[]): Promise<void> {
  await addDays(
    on,
    added.map(({ class: searches, ...day }) => ({ ...day, ...searches })),
  );
  const weeks = new Set(added.map(({ day }) => mondayOf(day)));
  for (const week of [...weeks].sort((one, other) => one - other)) await noteChange(on, week);
}

/** Two years: long enough to compare a season with the previous one. */
const daysKept = 731;

/** For `quality_days` and `quality_totals`. */
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

// Weeks in which something was observed since their totals were computed, over all gateways.
const change = { week: whole, changes: whole };
const weeks = table('quality_changes', { ...change, claimed_at: whole });
const changed = weeks.omit('claimed_at');

type ChangedWeek = RowOf<typeof change>;

const addWeeks = weeks.insert({ end: adding('quality_changes', 'week', ['changes']) });

export async function noteChange(on: Runner, week: number): Promise<void> {
  await addWeeks(on, [{ week, changes: 1, claimed_at: 0 }]);
}

/** The newest week that no gateway has claimed since `before`; several gateways share the work. */
export function claimChangedWeek(
  on: Runner,
  now: number,
  before: number,
): Promise<ChangedWeek | undefined> {
  return changed.change(
    on,
    `update quality_changes set claimed_at = $1 where claimed_at <= $2 and week =
       (select max(week) from quality_changes where claimed_at <= $2)`,
    [now, before],
  );
}

/** A change after the claim stays for a later round. */
export async function clearChange(on: Runner, { week, changes }: ChangedWeek): Promise<void> {
  await on.run('delete from quality_changes where week = $1 and changes = $2', [week, changes]);
}
