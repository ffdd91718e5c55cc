// Budgets of tag values, and what the requests with a tag spend and hold by day.
import { budgetKey } from '../core/spending.ts';
import type { BudgetState, TagDay } from '../core/book.ts';
import { type Row, rowStatement, type Runner, wholeOrNull } from '../../store/index.ts';

export interface TagValue {
  account_id: string;
  tag: string;
  value: string;
}

interface MonthSoFar {
  first_day: number;
  today: number;
}

const spending = `
  coalesce(sum(case when day = v.column5 then spent + tag_days.held end), 0) as today,
  coalesce(sum(spent + tag_days.held), 0) as this_month`;

/** Neither engine's way to find a text in another exists in both. */
const isTagged = `',' || holds.tags || ',' <> replace(
  ',' || holds.tags || ',', ',' || budgets.tag || '=' || budgets.value || ',', '')`;

const exposedSince = (day: string) => `(select coalesce(sum(exposure), 0) from holds
  where holds.account_id = budgets.account_id and exposure > 0 and ${isTagged}
    and holds.created_at >= cast(${day} as bigint) * 86400000)`;

const findBudgetsStatement = rowStatement(
  ['text', 'text', 'text', 'bigint', 'bigint'],
  (table) => `select budgets.account_id, budgets.tag, budgets.value, daily_cap, monthly_cap,
       ${spending}, ${exposedSince('v.column5')} as exposed_today,
       ${exposedSince('v.column4')} as exposed_this_month
     from ${table}
     join budgets on budgets.account_id = v.column1 and budgets.tag = v.column2
       and budgets.value = v.column3
     left join tag_days on tag_days.account_id = v.column1 and tag_days.tag = v.column2
       and tag_days.value = v.column3 and day >= v.column4
     group by budgets.account_id, budgets.tag, budgets.value, daily_cap, monthly_cap,
       v.column4, v.column5`,
);

/** Only tag values with a budget, by `budgetKey`. */
export async function findBudgets(
  on: Runner,
  values: readonly TagValue[],
  { first_day, today }: MonthSoFar,
): Promise<Map<string, BudgetState>> {
  const rows = values.map(({ account_id, tag, value }) => [
    account_id,
    tag,
    value,
    first_day,
    today,
  ]);
  const found = await on.run(...findBudgetsStatement(rows));
  return new Map(
    found.map((row) => {
      const [tag, value] = [String(row['tag']), String(row['value'])];
      const state = { budget: `${tag}=${value}`, ...readLimits(row) };
      return [budgetKey(String(row['account_id']), tag, value), state];
    }),
  );
}

const findBudgetedStatement = rowStatement(
  ['text', 'text', 'text'],
  (table) => `select account_id, tag, value from ${table}
     join budgets on account_id = v.column1 and tag = v.column2 and value = v.column3`,
);

/** Which of these tag values have a budget, by `budgetKey`. */
export async function findBudgeted(
  on: Runner,
  values: readonly TagValue[],
): Promise<ReadonlySet<string>> {
  const rows = values.map(({ account_id, tag, value }) => [account_id, tag, value]);
  const found = await on.run(...findBudgetedStatement(rows));
  return new Set(
    found.map((row) =>
      budgetKey(String(row['account_id']), String(row['tag']), String(row['value'])),
    ),
  );
}

const addToTagDaysStatement = rowStatement(
  ['text', 'text', 'text', 'bigint', 'bigint', 'bigint'],
  (table) => `insert into tag_days (account_id, tag, value, day, spent, held)
     select column1, column2, column3, column4, column5, column6
     from ${table} where column1 is not null
     on conflict (account_id, tag, value, day) do update set
       spent = tag_days.spent + excluded.spent, held = tag_days.held + excluded.held`,
);

export async function addToTagDays(on: Runner, changes: readonly TagDay[]): Promise<void> {
  for (let from = 0; from < changes.length; from += maxRows) {
    const rows = changes
      .slice(from, from + maxRows)
      .map((one) => [one.account_id, one.tag, one.value, one.day, one.spent, one.held]);
    await on.run(...addToTagDaysStatement(rows));
  }
}

/** Both engines limit the values of one statement. */
const maxRows = 2048;

function readLimits(row: Row): Omit<BudgetState, 'budget'> {
  return {
    daily_cap: wholeOrNull(row['daily_cap']),
    monthly_cap: wholeOrNull(row['monthly_cap']),
    today: Number(row['today']),
    this_month: Number(row['this_month']),
    exposed_today: Number(row['exposed_today']),
    exposed_this_month: Number(row['exposed_this_month']),
  };
}
