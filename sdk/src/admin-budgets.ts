// The operator's client for budgets: how much the requests of an account with a tag value may
// spend.
import type { Budget, BudgetList, BudgetRequest } from '@trivium/contract';
import type { AdminCalls, MovementOptions } from './admin-webhooks.ts';
import type { ApiPromise, PagePromise } from './api-promise.ts';
import type { EitherName, EitherOption } from './names.ts';
import type { CallOptions } from './options.ts';
import type { Shape } from './send.ts';

type TagValue = Pick<BudgetRequest, 'tag' | 'value'>;
/** An omitted cap is removed. */
export type BudgetInput = TagValue & Partial<BudgetRequest>;

export interface BudgetClient {
  list: (accountId: string, options?: EitherOption<CallOptions>) => PagePromise<BudgetList, Budget>;
  /** Replaces the budget of a tag value, or creates it. */
  set: (
    accountId: string,
    budget: EitherName<BudgetInput>,
    options?: EitherOption<MovementOptions>,
  ) => ApiPromise<Budget>;
  delete: (
    accountId: string,
    budget: TagValue,
    options?: EitherOption<MovementOptions>,
  ) => ApiPromise<Budget>;
}

export function makeBudgetClient({ once, list }: Pick<AdminCalls, 'once' | 'list'>): BudgetClient {
  const set: BudgetClient['set'] = (id, body, rest) => once(budgetsOf(id), body, rest, budgetShape);
  return {
    list: (id, rest) =>
      list<BudgetList, Budget, object, 'budgets'>(budgetsOf(id), 'budgets')({}, rest),
    set,
    delete: (id, { tag, value }, rest) => set(id, { tag, value }, rest),
  };
}

const budgetShape: Shape = { tag: 'string', value: 'string' };

function budgetsOf(accountId: string): string {
  return `/accounts/${encodeURIComponent(accountId)}/budgets`;
}
