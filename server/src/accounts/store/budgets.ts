// The budgets of an account, with what counts towards each.
import { type Row, type Runner, wholeOrNull } from '../../store/index.ts';

interface TagValue {
  account_id: string;
  tag: string;
  value: string;
}

interface MonthSoFar {
  first_day: number;
  today: number;
}

/** The tag values of an account that have a budget, as `team=search`. */
export async function findBudgetNames(on: Runner, accountId: string): Promise<string[]> {
  const rows = await on.run('select tag, value from budgets where account_id = $1', [accountId]);
  return rows.map((row) => `${String(row['tag'])}=${String(row['value'])}`);
}

export interface BudgetRow extends TagValue {
  /** In micro-USD; null for no cap. */
  daily_cap: number | null;
  monthly_cap: number | null;
  /** Spent and held. */
  today: number;
  this_month: number;
  created_at: number;
}

export async function listBudgets(
  on: Runner,
  accountId: string,
  { first_day, today }: MonthSoFar,
): Promise<BudgetRow[]> {
  const rows = await on.run(
    `select budgets.account_id, budgets.tag, budgets.value, daily_cap, monthly_cap, created_at,
       coalesce(sum(case when day = $3 then spent + tag_days.held end), 0) as today,
       coalesce(sum(spent + tag_days.held), 0) as this_month
     from budgets left join tag_days on tag_days.account_id = budgets.account_id
       and tag_days.tag = budgets.tag and tag_days.value = budgets.value and day >= $2
     where budgets.account_id = $1
     group by budgets.account_id, budgets.tag, budgets.value, daily_cap, monthly_cap, created_at
     order by budgets.tag, budgets.value`,
    [accountId, first_day, today],
  );
  return rows.map(readBudget);
}

type NewBudget = TagValue & Pick<BudgetRow, 'daily_cap' | 'monthly_cap' | 'created_at'>;

/** Sets the budget of a tag value; one that exists keeps the time of its creation. */
export async function putBudget(on: Runner, budget: NewBudget): Promise<void> {
  await on.run(
    `insert into budgets (account_id, tag, value, daily_cap, monthly_cap, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (account_id, tag, value) do update set
       daily_cap = excluded.daily_cap, monthly_cap = excluded.monthly_cap`,
    [
      ...[budget.account_id, budget.tag, budget.value],
      ...[budget.daily_cap, budget.monthly_cap, budget.created_at],
    ],
  );
}

export async function deleteBudget(
  on: Runner,
  { account_id, tag, value }: TagValue,
): Promise<void> {
  await on.run('delete from budgets where account_id = $1 and tag = $2 and value = $3', [
    account_id,
    tag,
    value,
  ]);
}

function readBudget(row: Row): BudgetRow {
  return {
    account_id: String(row['account_id']),
    tag: String(row['tag']),
    value: String(row['value']),
    daily_cap: wholeOrNull(row['daily_cap']),
    monthly_cap: wholeOrNull(row['monthly_cap']),
    today: Number(row['today']),
    this_month: Number(row['this_month']),
    created_at: Number(row['created_at']),
  };
}
