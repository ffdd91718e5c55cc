// The operator's client for budgets: what the requests of an account with a tag value may spend.
import type { Budget, BudgetList, BudgetRequest } from '@trivium/contract';
import type { AdminCalls, MovementOptions } from './admin-webhooks.ts';
import type { ApiPromise, PagePromise } from './api-promise.ts';
import type { CallOptions } from './options.ts';
import type { Shape } from './send.ts';

type TagValue = Pick<BudgetRequest, 'tag' | 'value'>;
/** The caps that are not given are none. */
export type BudgetInput = TagValue & Partial<BudgetRequest>;

export interface BudgetClient {
  list: (accountId: string, options?: CallOptions) => PagePromise<BudgetList, Budget>;
  /** Sets the budget of a tag value; without any cap it is removed. */
  set: (accountId: string, budget: BudgetInput, options?: MovementOptions) => ApiPromise<Budget>;
  remove: (accountId: string, budget: TagValue, options?: MovementOptions) => ApiPromise<Budget>;
}

export function makeBudgetClient({ once, list }: AdminCalls): BudgetClient {
  const set: BudgetClient['set'] = (id, body, rest) => once(budgetsOf(id), body, rest, budgetShape);
  return {
    list: (id, rest) => list<BudgetList, Budget, 'budgets'>(budgetsOf(id), 'budgets')({}, rest),
    set,
    remove: (id, { tag, value }, rest) => set(id, { tag, value }, rest),
  };
}

const budgetShape: Shape = { tag: 'string', value: 'string' };

function budgetsOf(accountId: string): string {
  return `/accounts/${encodeURIComponent(accountId)}/budgets`;
}
