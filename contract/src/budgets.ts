// Budgets: spending caps for the requests with a tag value, like the caps of keys.
import { z } from 'zod';
import { Cap } from './admin.ts';
import { Timestamp } from './common.ts';
import { TagName, TagValue } from './tags.ts';

const dailyCap = Cap.describe('The maximum they may spend and hold in a UTC day; null for no cap.');
const monthlyCap = Cap.describe(
  'The maximum they may spend and hold in a calendar month, in UTC; null for no cap.',
);

export const Budget = z
  .object({
    tag: TagName,
    value: TagValue,
    daily_cap_usd: dailyCap,
    monthly_cap_usd: monthlyCap,
    today_usd: z.number().describe('Spent and held today, in UTC.'),
    this_month_usd: z.number().describe('Spent and held this month, in UTC.'),
    created_at: Timestamp.describe('When the budget was first set.'),
  })
  .describe('The budget of the requests with a tag value.');
export type Budget = z.infer<typeof Budget>;

export const BudgetRequest = z
  .strictObject({
    tag: TagName,
    value: TagValue,
    daily_cap_usd: dailyCap.default(null),
    monthly_cap_usd: monthlyCap.default(null),
  })
  .describe('The budget to set for a tag value; without a cap, the budget is removed.');
export type BudgetRequest = z.infer<typeof BudgetRequest>;

export const BudgetList = z
  .object({ budgets: z.array(Budget).describe('Ordered by tag and value.') })
  .describe('The budgets of an account.');
export type BudgetList = z.infer<typeof BudgetList>;
