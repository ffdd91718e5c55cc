// Sets, removes and lists budgets of tag values, with what counts towards them.
import { type Budget, type BudgetList, type BudgetRequest, GatewayError } from '@trivium/contract';
import { audit, type Author, type Fields } from '../audit/index.ts';
import { exactMicroUsd, usd } from '../billing/core/index.ts';
import { iso } from '../store/index.ts';
import { noAccount } from './accounts.ts';
import type { AccountsContext } from './context.ts';
import { type BudgetRow, changeBudget, readBudgetUse } from '../billing/index.ts';
import { findAccount } from './store/accounts.ts';

/** Every gateway keeps the names of an account's budgets in memory, so their number is limited. */
const maxBudgets = 1000;

export async function readBudgets(
  context: AccountsContext,
  accountId: string,
): Promise<BudgetList> {
  const { reader } = context.database;
  if (!(await findAccount(reader, accountId))) throw noAccount(accountId);
  const now = context.clock.now().getTime();
  return { budgets: (await readBudgetUse(reader, accountId, now)).map(showBudget) };
}

/** Without any cap the budget is removed. */
export async function setBudget(
  context: AccountsContext,
  by: Author,
  accountId: string,
  { tag, value, daily_cap_usd, monthly_cap_usd }: BudgetRequest,
): Promise<Budget> {
  const now = context.clock.now().getTime();
  const named = { account_id: accountId, tag, value };
  const limits = { daily_cap: microUsdOf(daily_cap_usd), monthly_cap: microUsdOf(monthly_cap_usd) };
  const none = { ...named, ...limits, today: 0, this_month: 0, created_at: now };
  return context.database.transaction(async (tx) => {
    if (!(await findAccount(tx, accountId))) throw noAccount(accountId);
    const isNamed = (row: BudgetRow) => row.tag === tag && row.value === value;
    const before = (await readBudgetUse(tx, accountId, now)).find(isNamed);
    await changeBudget(tx, { ...named, ...limits, created_at: now });
    const rows = await readBudgetUse(tx, accountId, now);
    if (rows.length > maxBudgets) {
      const message = `An account can have ${maxBudgets} budgets. Remove one before you set another.`;
      throw new GatewayError('invalid_request', message);
    }
    const after = rows.find(isNamed);
    if (before ?? after) {
      const change = {
        ...{ action: 'budget.changed' as const, account_id: accountId, target: `${tag}=${value}` },
        ...(before ? { before: capsOf(before) } : {}),
        ...(after ? { after: capsOf(after) } : {}),
      };
      await audit(tx, by, change, now);
    }
    return showBudget(after ?? none);
  });
}

function capsOf(row: BudgetRow): Fields {
  const { daily_cap_usd, monthly_cap_usd } = showBudget(row);
  return { daily_cap_usd, monthly_cap_usd };
}

function microUsdOf(capUsd: number | null): number | null {
  return capUsd === null ? null : exactMicroUsd(capUsd);
}

function showBudget({ tag, value, daily_cap, monthly_cap, ...row }: BudgetRow): Budget {
  return {
    tag,
    value,
    daily_cap_usd: daily_cap === null ? null : usd(daily_cap),
    monthly_cap_usd: monthly_cap === null ? null : usd(monthly_cap),
    today_usd: usd(row.today),
    this_month_usd: usd(row.this_month),
    created_at: iso(row.created_at),
  };
}
