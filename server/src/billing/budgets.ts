// Budgets of tag values: events when 80 % or all of one is used, and the removal of old rows. Rows
// of values with a budget are folded into one, because the audit compares the total of a budget.
import { dayMs, minuteMs } from '@trivium/contract/durations';
import type { BudgetReached } from '@trivium/contract';
import { type EventsContext, writeEvent } from '../events/index.ts';
import { every, type Repeated } from '../platform/every.ts';
import { dayOf, firstDayOfMonth, foldedDay } from '../requests/core/index.ts';
import { changes, type Database, type Expiring, facts, type Runner } from '../store/index.ts';
import { usd } from './core/amount.ts';
import { alertOf, type BudgetCap, dateOf, lowestAlert } from './core/caps.ts';
import {
  addToTagDays,
  type BudgetRow,
  type BudgetUse,
  deleteBudget,
  findBudgeted,
  findBudgetNames,
  listBudgets,
  listNearBudgets,
  markBudgetAlert,
  putBudgets,
  type TagValue,
  takeOldTagDays,
} from './store/budgets.ts';
import { budgetKey } from './core/spending.ts';
import { addTagUsage, takeOldTagUsage } from '../requests/index.ts';

export function startBudgetWatch(context: EventsContext): Repeated {
  return every(minuteMs, {
    name: 'budget_alerts',
    work: () => announceBudgets(context),
    onError: (error) => context.log.warn({ err: error }, 'budgets could not be checked'),
  });
}

export async function announceBudgets(
  context: Pick<EventsContext, 'database' | 'clock' | 'nudge'>,
): Promise<void> {
  const now = context.clock.now().getTime();
  const [month, today] = [firstDayOfMonth(now), dayOf(now)];
  let last: BudgetUse | undefined;
  do {
    const budgets = await listNearBudgets(context.database, [month, today], lowestAlert, last);
    for (const budget of budgets) {
      const { daily_cap, daily_alert, monthly_cap, monthly_alert } = budget;
      const daily = { cap: daily_cap, spent: budget.today, announced: daily_alert };
      const monthly = { cap: monthly_cap, spent: budget.this_month, announced: monthly_alert };
      await announce(context, budget, 'daily', { ...daily, period: dateOf(today) }, now);
      await announce(context, budget, 'monthly', { ...monthly, period: dateOf(month) }, now);
    }
    last = budgets.at(-1);
  } while (last);
}

async function announce(
  { database, nudge }: Pick<EventsContext, 'database' | 'nudge'>,
  budget: BudgetUse,
  kind: 'daily' | 'monthly',
  use: BudgetCap,
  now: number,
): Promise<void> {
  const { cap, spent, period, announced } = use;
  const alert = alertOf(use);
  if (!alert || cap === null) return;
  const { account_id, tag, value } = budget;
  const data: BudgetReached = {
    ...{ account_id, tag, value, cap: kind, percent: alert.percent, period },
    cap_usd: usd(cap),
    spent_usd: usd(spent),
  };
  const isWritten = await database.transaction(async (tx) => {
    const change = { before: announced, after: alert.mark };
    if (!(await markBudgetAlert(tx, budget, `${kind}_alert`, change))) return false;
    const subject = `${tag}=${value}`;
    await writeEvent(tx, { type: 'budget.reached', account_id, subject, data, at: now });
    return true;
  });
  if (isWritten) nudge();
}

const logDaysMs: Expiring['keptMs'] = ({ request_log_days }) => request_log_days * dayMs;

/** Each row is removed once, by any gateway. */
export const billingExpiry: readonly Expiring[] = [
  {
    kind: 'tag_usage',
    keptMs: logDaysMs,
    step: (database, { now, keptMs }, limit) => {
      const before = dayOf(now - keptMs);
      return fold(database, before, (tx) => takeOldTagUsage(tx, before, limit), addTagUsage);
    },
  },
  {
    kind: 'tag_days',
    keptMs: logDaysMs,
    // A monthly budget needs the days of its month.
    step: (database, { now, keptMs }, limit) => {
      const before = Math.min(dayOf(now - keptMs), firstDayOfMonth(now));
      return fold(database, before, (tx) => takeOldTagDays(tx, before, limit), addToTagDays);
    },
  },
];

function fold<T extends TagValue & { day: number }>(
  database: Database,
  dayBefore: number,
  take: (tx: Runner) => Promise<T[]>,
  add: (tx: Runner, rows: readonly T[]) => Promise<void>,
): Promise<number> {
  return database.transaction(async (tx) => {
    const old = await take(tx);
    if (old.length === 0) return 0;
    const budgeted = await findBudgeted(tx, old);
    const folded = old.filter((row) => budgeted.has(budgetKey(row)));
    // Tells the audit that earlier rows of tag values were deleted.
    if (folded.length < old.length) await facts.raise(tx, 'tags_kept_from', dayBefore);
    await add(
      tx,
      folded.map((row) => ({ ...row, day: foldedDay })),
    );
    return old.length;
  });
}

/** The tag values of an account that have a budget, as `team=search`. */
export async function readBudgetedTags(on: Runner, accountId: string): Promise<Set<string>> {
  return new Set(await findBudgetNames(on, accountId));
}

export function readBudgetUse(on: Runner, accountId: string, now: number): Promise<BudgetRow[]> {
  return listBudgets(on, accountId, firstDayOfMonth(now), dayOf(now));
}

/** Sets the caps of a tag value. An existing budget keeps its creation time; without a cap it ends. */
export async function changeBudget(
  tx: Runner,
  budget: Omit<BudgetRow, 'today' | 'this_month'>,
): Promise<void> {
  const isRemoved = budget.daily_cap === null && budget.monthly_cap === null;
  await (isRemoved ? deleteBudget(tx, budget) : putBudgets(tx, [budget]));
  // Gateways read the budgets of an account together with its keys.
  await changes.count(tx, 'keys');
}
