// The audit's checks of budgets: each budget must equal what the ledger holds and has charged for
// requests with its tag.

interface BudgetCheck {
  rule: string;
  subject: 'budget';
  find: string;
}

/** Selects each budget whose two sums differ. */
function differing(found: string, expected: string): string {
  return `select account_id, id, found, expected from
    (select account_id, tag || '=' || value as id, (${found}) as found, (${expected}) as expected
      from budgets) as sums where found <> expected`;
}

/** The same for sums since the first charge. If rows were deleted, the found sum may be smaller. */
function differingSince(found: string, expected: string): string {
  return `select account_id, id, found, expected from
    (select account_id, tag || '=' || value as id, (${found}) as found, (${expected}) as expected,
      (${isWhole}) as is_whole
      from budgets) as sums where found > expected or (found <> expected and is_whole = 1)`;
}

const ofBudget = (table: string) =>
  `from ${table} as one where one.account_id = budgets.account_id`;

const named = 'one.tag = budgets.tag and one.value = budgets.value';

/** SQLite and PostgreSQL have no common function that finds a text in another. */
const tagged = `',' || one.tags || ',' <>
  replace(',' || one.tags || ',', ',' || budgets.tag || '=' || budgets.value || ',', '')`;

/** The request of a charge may have begun up to this many days before it. */
const longestRequestDays = 7;

const firstCharge = `(select min(one.created_at) ${ofBudget('transfers')} and ${tagged})`;
const keptFrom = `coalesce(
  (select max(cast(value as bigint)) from store_facts where name = 'tags_kept_from'), 0)`;

/**
 * True if nothing was deleted, only older rows were deleted, or the budget is older than the use of
 * its tag.
 */
const isWhole = `case when ${keptFrom} = 0 or budgets.created_at <= ${firstCharge}
  or ${firstCharge} >= (${keptFrom} + ${longestRequestDays}) * 86400000 then 1 else 0 end`;

const charged = 'select coalesce(sum(0 - one.amount), 0)';

export const budgetChecks: readonly BudgetCheck[] = [
  {
    rule: 'Each budget holds the sum of the open holds with its tag',
    subject: 'budget',
    find: differing(
      `select coalesce(sum(one.held), 0) ${ofBudget('tag_days')} and ${named}`,
      `select coalesce(sum(one.amount), 0) ${ofBudget('holds')} and ${tagged}`,
    ),
  },
  {
    rule: 'The spending of each budget is the sum of the transfers with its tag',
    subject: 'budget',
    find: differingSince(
      `select coalesce(sum(one.spent), 0) ${ofBudget('tag_days')} and ${named}`,
      `${charged} ${ofBudget('transfers')} and ${tagged}`,
    ),
  },
  {
    rule: 'The usage of each tag with a budget is what was charged with it',
    subject: 'budget',
    find: differingSince(
      `select coalesce(sum(one.cost), 0) ${ofBudget('usage_tags')} and ${named}`,
      `${charged} ${ofBudget('transfers')} and one.kind = 'settle' and ${tagged}`,
    ),
  },
];
