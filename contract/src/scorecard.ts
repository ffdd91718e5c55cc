// The scorecard of search engines: their quality, price and speed, and whether these changed.
import { z } from 'zod';
import { AccountId } from './admin.ts';
import { CalendarDate } from './common.ts';
import { SearchEngineId } from './ids.ts';

const groups = ['provider', 'language', 'category', 'freshness'] as const;
const maxScorecardWeeks = 104;

export const ScorecardQuery = z.strictObject({
  account_id: AccountId.optional().describe('Only this account; by default, all accounts.'),
  by: z
    .enum(groups)
    .default('provider')
    .describe('One line for each engine, or for each engine and language, category or freshness.'),
  weeks: z.coerce
    .number()
    .int()
    .min(1)
    .max(maxScorecardWeeks)
    .default(12)
    .describe('How many weeks, ending today.'),
  format: z.enum(['json', 'csv']).optional().describe('JSON, or a table as CSV.'),
});
export type ScorecardQuery = z.infer<typeof ScorecardQuery>;

const share = z.number().min(0).max(1);
const interval = {
  mean: share.describe('The mean, from 0 to 1.'),
  lower: share.describe('The lower bound of the 95 percent interval.'),
  upper: share.describe('The upper bound of that interval.'),
  observations: z
    .number()
    .min(0)
    .describe('How many searches it is based on; over several accounts, their combined weight.'),
};

export const QualityWeek = z
  .object({ week: CalendarDate.describe('The Monday of the week, in UTC.'), ...interval })
  .describe('The quality of one week.');

export const QualityChange = z
  .object({
    day: CalendarDate.describe('The first day with the new quality.'),
    before: share.describe('The mean before, since the previous change.'),
    after: share.describe('The mean after, until the next change.'),
  })
  .describe('A day on which the quality clearly changed.');

export const MeasuredQuality = z
  .object({
    ...interval,
    weeks: z.array(QualityWeek).describe('The weeks with observations, oldest first.'),
    changes: z.array(QualityChange).describe('Oldest first.'),
  })
  .describe('A quality with its interval, its weeks and its changes.');
export type MeasuredQuality = z.infer<typeof MeasuredQuality>;

const amount = z.number().min(0).nullable();
export const ScorecardLine = z
  .object({
    provider: SearchEngineId.describe('The engine.'),
    group: z
      .string()
      .describe('The language, category or freshness; empty for none, and by provider.'),
    agreement: MeasuredQuality.nullable().describe(
      'How much its answers agree with those of other engines to the same searches; null if ' +
        'they were not compared.',
    ),
    feedback: MeasuredQuality.nullable().describe(
      'The feedback of callers about its results, on another scale; null if there is none.',
    ),
    calls: z.number().int().min(0).describe('How many calls the following figures are based on.'),
    failures: z.number().int().min(0).describe('How many of them failed.'),
    price_usd: amount.describe('The average cost of a call, in US dollars.'),
    latency_ms: amount.describe('The average duration of a call.'),
    useful: z.number().int().min(0).describe('Results that callers cited or opened.'),
    useful_price_usd: amount.describe(
      'The average cost of such a result, over the searches with feedback; null if there is none.',
    ),
  })
  .describe('One engine, or one engine in one group of searches.');
export type ScorecardLine = z.infer<typeof ScorecardLine>;

export const Scorecard = z
  .object({
    account_id: AccountId.nullable().describe(
      'The account; null for all accounts. Each account then has the same weight in the quality.',
    ),
    by: z.enum(groups).describe('What the lines are grouped by.'),
    first_day: CalendarDate.describe('The first day, in UTC.'),
    last_day: CalendarDate.describe('The last day.'),
    lines: z.array(ScorecardLine).describe('By provider and group; at most 20 groups.'),
  })
  .describe('The measured quality, price, latency and failures of search engines.');
export type Scorecard = z.infer<typeof Scorecard>;
