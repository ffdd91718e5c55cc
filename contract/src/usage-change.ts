// Why usage changed: the difference between a range and the one before it, and which keys, providers
// and tags account for it.
import { z } from 'zod';
import { DayOrTime, Timestamp } from './common.ts';
import { RequestQuery } from './request-log.ts';
import { checkRange } from './usage.ts';

const causes = ['key', 'provider', 'tag'] as const;

const { account_id, key_id, provider, tool, tag, outcome, to } = RequestQuery.shape;

export const UsageChangeQuery = z
  .strictObject({
    ...{ account_id, key_id, provider, tool, tag, outcome },
    from: DayOrTime.describe('The first day, in UTC, or the start time.'),
    to: to.describe(
      'The last day, in UTC, or the end time, which is excluded. Of a range that is not over, the ' +
        'part until now is compared with the same part of the range before.',
    ),
    measure: z
      .enum(['cost', 'requests'])
      .default('cost')
      .describe('The change of which is explained: the cost, or the number of requests.'),
  })
  .superRefine(checkRange);
export type UsageChangeQuery = z.infer<typeof UsageChangeQuery>;

const Sums = z.object({
  requests: z.number().int().min(0).describe('How many requests.'),
  cost_usd: z.number().min(0).describe('The amount charged, in US dollars.'),
});

export const UsageCause = z
  .object({
    by: z.enum(causes).describe('Whether it is a key, a provider or a tag.'),
    group: z.string().describe('The id of the key or provider, or the tag, such as team=search.'),
    requests: z.number().int().describe('How many more requests; negative if there were fewer.'),
    cost_usd: z.number().describe('How much more was charged, in US dollars; negative if less.'),
  })
  .describe('What accounts for at least a third of the change.');
export type UsageCause = z.infer<typeof UsageCause>;

export const UsageComparison = z
  .object({
    since: Timestamp.describe('The start of the range.'),
    until: Timestamp.describe('The end of what is compared: now, if the range is not over.'),
    previous_since: Timestamp.describe('The start of the range before, which is as long.'),
    previous_until: Timestamp.describe('The end of what it is compared with.'),
    total: Sums.describe('In the range.'),
    previous: Sums.describe('In the range before.'),
    causes: z
      .array(UsageCause)
      .describe('Keys, then providers, then tags; of each at most two, the larger one first.'),
    not_compared: z
      .array(z.enum(causes))
      .describe(
        'What cannot be compared, because the range has too many requests or groups, or begins before ' +
          'the request log.',
      ),
  })
  .describe('The change of usage between two ranges.');
export type UsageComparison = z.infer<typeof UsageComparison>;
