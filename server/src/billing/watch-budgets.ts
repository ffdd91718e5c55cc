// Writes an event when 80 % or all of a budget is used. Budgets are checked periodically instead of
// with every request, so that requests do not wait for it.
import { dayMs, minuteMs } from '@trivium/contract/durations';
import type { BudgetReached } from '@trivium/contract';
import { writeEvent } from '../events/index.ts';
import type { Clock } from '../platform/clock.ts';
import { every } from '../platform/every.ts';
import type { Repeated } from '../platform/every.ts';
import type { Log } from '../platform/log.ts';
import { dayOf, firstDayOfMonth } from '../requests/core/index.ts';
import type { Database } from '../store/index.ts';
import { usd } from './core/amount.ts';
import { alertOf, lowestAlert } from './core/budget-alerts.ts';
import { type BudgetUse, listNearBudgets, markBudgetAlert } from './store/budgets.ts';

interface BudgetWatchContext {
  database: Database;
  clock: Clock;
  log: Log;
  nudge: () => void;
}

export function startBudgetWatch(context: BudgetWatchContext): Repeated {
  return every(minuteMs, {
    name: 'budget_alerts',
    work: () => announceBudgets(context),
    onError: (error) => context.log.warn({ err: error }, 'budgets could not be checked'),
  });
}

/** Checks all budgets once. */
export async function announceBudgets(
  context: Pick<BudgetWatchContext, 'database' | 'clock' | 'nudge'>,
): Promise<void> {
  const now = context.clock.now().getTime();
  const days = { first_day: firstDayOfMonth(now), today: dayOf(now) };
  let last: BudgetUse | undefined;
  do {
    const budgets = await listNearBudgets(context.database, days, lowestAlert, last);
    for (const budget of budgets) {
      await announce(context, budget, 'daily', { now, first: days.today });
      await announce(context, budget, 'monthly', { now, first: days.first_day });
    }
    last = budgets.at(-1);
  } while (last);
}

async function announce(
  { database, nudge }: Pick<BudgetWatchContext, 'database' | 'nudge'>,
  budget: BudgetUse,
  kind: 'daily' | 'monthly',
  { now, first }: { now: number; first: number },
): Promise<void> {
  const cap = kind === 'daily' ? budget.daily_cap : budget.monthly_cap;
  const spent = kind === 'daily' ? budget.today : budget.this_month;
  const before = kind === 'daily' ? budget.daily_alert : budget.monthly_alert;
  const period = new Date(first * dayMs).toISOString().slice(0, 10);
  const alert = alertOf({ cap, spent, period, announced: before });
  if (!alert || cap === null) return;
  const { account_id, tag, value } = budget;
  const data: BudgetReached = {
    ...{ account_id, tag, value, cap: kind, percent: alert.percent, period },
    cap_usd: usd(cap),
    spent_usd: usd(spent),
  };
  const isWritten = await database.transaction(async (tx) => {
    const change = { before, after: alert.mark };
    if (!(await markBudgetAlert(tx, budget, `${kind}_alert`, change))) return false;
    const subject = `${tag}=${value}`;
    await writeEvent(tx, { type: 'budget.reached', account_id, subject, data, at: now });
    return true;
  });
  if (isWritten) nudge();
}
