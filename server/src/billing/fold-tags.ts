// Removes old rows of tag values. Rows of values with a budget are folded into one row, because the
// audit compares the total of a budget; the others are deleted.
import type { TagDay } from './core/book.ts';
import { dayMs } from '@trivium/contract/durations';
import { dayOf, firstDayOfMonth, foldedDay, type TagUsage } from '../requests/core/index.ts';
import { budgetKey } from './core/spending.ts';
import { type Database, type Expiring, raiseFact, type Runner } from '../store/index.ts';
import { addToTagDays, findBudgeted, takeOldTagDays } from './store/budgets.ts';
import type { TagValue } from './store/budgets.ts';
import { addToTagUsage, takeOldTagUsage } from '../requests/index.ts';

const logDaysMs: Expiring['keptMs'] = ({ request_log_days }) => request_log_days * dayMs;

/** Each row is removed once, by any gateway. */
export const billingExpiry: readonly Expiring[] = [
  {
    kind: 'tag_usage',
    keptMs: logDaysMs,
    step: (database, { now, keptMs }, limit) => foldTagUsage(database, dayOf(now - keptMs), limit),
  },
  {
    kind: 'tag_days',
    keptMs: logDaysMs,
    // A monthly budget needs the days of its month.
    step: (database, { now, keptMs }, limit) =>
      foldTagDays(database, Math.min(dayOf(now - keptMs), firstDayOfMonth(now)), limit),
  },
];

function foldTagDays(database: Database, dayBefore: number, limit: number): Promise<number> {
  return fold<TagDay>(database, dayBefore, {
    take: (tx) => takeOldTagDays(tx, dayBefore, limit),
    add: (tx, rows) => addToTagDays(tx, rows),
    placeOf: placeOfValue,
    join: (one, other) => ({
      ...one,
      spent: one.spent + other.spent,
      held: one.held + other.held,
    }),
  });
}

function foldTagUsage(database: Database, dayBefore: number, limit: number): Promise<number> {
  return fold<TagUsage>(database, dayBefore, {
    take: (tx) => takeOldTagUsage(tx, dayBefore, limit),
    add: (tx, rows) => addToTagUsage(tx, rows),
    placeOf: (row) => `${placeOfValue(row)} ${row.key_id}`,
    join: (one, other) => ({
      ...one,
      requests: one.requests + other.requests,
      refusals: one.refusals + other.refusals,
      failures: one.failures + other.failures,
      cost: one.cost + other.cost,
    }),
  });
}

interface Folding<T> {
  take: (tx: Runner) => Promise<T[]>;
  add: (tx: Runner, rows: readonly T[]) => Promise<void>;
  /** Rows with the same place become one row. */
  placeOf: (row: T) => string;
  join: (one: T, other: T) => T;
}

function fold<T extends TagValue & { day: number }>(
  database: Database,
  dayBefore: number,
  { take, add, placeOf, join }: Folding<T>,
): Promise<number> {
  return database.transaction(async (tx) => {
    const old = await take(tx);
    if (old.length === 0) return 0;
    const budgeted = await findBudgeted(tx, old);
    const folded = new Map<string, T>();
    for (const row of old) {
      if (!budgeted.has(placeOfValue(row))) continue;
      const place = placeOf(row);
      const known = folded.get(place);
      folded.set(place, known ? join(known, row) : { ...row, day: foldedDay });
    }
    const isDropped = old.some((row) => !budgeted.has(placeOfValue(row)));
    // Tells the audit that earlier rows of tag values were deleted.
    if (isDropped) await raiseFact(tx, 'tags_kept_from', dayBefore);
    if (folded.size > 0) await add(tx, [...folded.values()]);
    return old.length;
  });
}

function placeOfValue({ account_id, tag, value }: TagValue): string {
  return budgetKey(account_id, tag, value);
}
