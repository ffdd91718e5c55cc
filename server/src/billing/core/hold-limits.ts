// The limits of a hold: the balance, the caps of its key, the budgets of its tags, and the most
// that all open jobs of the account can cost together.
import { availableOf, type Book, type BudgetState } from './book.ts';
import type { HoldEntry, LedgerOutcome } from './entries.ts';
import { budgetKey } from './spending.ts';
import { tagPairs } from '../../requests/core/index.ts';

/** Declines a hold that exceeds the available amount. */
type Limit = Extract<LedgerOutcome, { kind: 'declined' }>;

/**
 * The lowest limit that declines the hold. The balance covers the held amount, caps and budgets the
 * most that the request can cost, and the balance with the overdraft the most of all open jobs.
 */
export function reachedLimit(book: Book, entry: HoldEntry): Limit | undefined {
  const { account_id, amount, worst_case: worst = amount, overdraft } = entry;
  const available = availableOf(book, account_id);
  const balance: Limit = { kind: 'declined', because: 'balance', available };
  const others = [...capLimits(book, entry), ...budgetLimits(book, entry)];
  const reached = [
    ...(available < amount ? [balance] : []),
    ...others.filter((limit) => limit.available < worst),
  ];
  if (reached.length > 0)
    return reached.reduce((low, one) => (one.available < low.available ? one : low));
  const exposed = book.exposed.get(account_id) ?? 0;
  if (overdraft === undefined || exposed + worst <= available + overdraft) return undefined;
  return { kind: 'declined', because: 'exposure', available, exposed, overdraft };
}

function capLimits(book: Book, { key_id }: HoldEntry): Limit[] {
  const key = key_id === null ? undefined : book.keys.get(key_id);
  if (!key) return [];
  const [today, thisMonth] = leftOf(key);
  return [
    { kind: 'declined', because: 'daily_cap', available: today },
    { kind: 'declined', because: 'monthly_cap', available: thisMonth },
  ];
}

/** What is left of the two caps of a key or a budget if every open job costs its maximum. */
function leftOf(state: Omit<BudgetState, 'budget'>): [today: number, thisMonth: number] {
  return [
    (state.daily_cap ?? Infinity) - state.today - state.exposed_today,
    (state.monthly_cap ?? Infinity) - state.this_month - state.exposed_this_month,
  ];
}

function budgetLimits(book: Book, { account_id, tags }: HoldEntry): Limit[] {
  return tagPairs(tags).flatMap(([tag, value]): Limit[] => {
    const state = book.budgets.get(budgetKey({ account_id, tag, value }));
    if (!state) return [];
    const { budget } = state;
    const [today, thisMonth] = leftOf(state);
    return [
      { kind: 'declined', because: 'daily_budget', budget, available: today },
      { kind: 'declined', because: 'monthly_budget', budget, available: thisMonth },
    ];
  });
}
