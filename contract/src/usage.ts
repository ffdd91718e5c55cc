// Usage, added up: for operators over all accounts, and for a caller over its own account.
import { dayMs } from './durations.ts';
import { z } from 'zod';
import { AccountId, KeyId, ListEnd, PageQuery } from './admin.ts';
import { CalendarDate, DayOrTime } from './common.ts';
import { addFault } from './faults.ts';
import { Job, JobStatus } from './transcription.ts';

/** `tag:NAME` groups by the values of that tag. */
const groups = /^(?:day|provider|key|tool|account|tag|tag:[A-Za-z0-9_.:-]{1,64})$/;
const ownGroups = /^(?:day|tool|provider|key|tag|tag:[A-Za-z0-9_.:-]{1,64})$/;

function groupedBy(pattern: RegExp, names: string) {
  const error = `Must be one of ${names}, or tag: and the name of a tag, such as tag:team.`;
  return z.string().max(100).regex(pattern, { error }).default('day');
}

/** The query of both usage reports. */
const usageOptions = {
  from: DayOrTime.optional().describe('The first day, in UTC, or the start time.'),
  to: DayOrTime.optional().describe(
    'The last day, in UTC, which is included, or the end time, which is excluded.',
  ),
  compare: z
    .enum(['previous'])
    .optional()
    .describe('Adds the previous range of the same length; requires from.'),
  interval: z.enum(['day']).optional().describe('Adds daily values for each group.'),
  format: z.enum(['json', 'csv']).optional().describe('JSON, or a table as CSV.'),
};

export function checkRange(
  {
    from,
    to,
    compare,
  }: { from?: string | undefined; to?: string | undefined; compare?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (compare !== undefined && from === undefined) {
    addFault(
      context,
      ['compare'],
      'invalid_value',
      'Requires from, which defines the length of the range.',
    );
  }
  if (from === undefined || to === undefined) return;
  const end = Date.parse(to) + (to.includes('T') ? 0 : dayMs);
  if (end <= Date.parse(from)) addFault(context, ['to'], 'too_small', 'Must be after from.');
}

export const UsageQuery = z
  .strictObject({
    account_id: AccountId.optional(),
    key_id: KeyId.optional(),
    by: groupedBy(groups, 'day, provider, key, tool, account, tag').describe(
      'What to group by: day, provider, key, tool, account, tag (the names of tags), or tag:NAME.',
    ),
    ...usageOptions,
  })
  .superRefine(checkRange);
export type UsageQuery = z.infer<typeof UsageQuery>;

const count = z.number().int().min(0);
/** How requests ended. */
const outcomeCounts = {
  served: count.describe('How many of them were answered.'),
  refused: count.describe('How many of them the gateway refused.'),
  failed: count.describe('How many of them failed in a provider or in the gateway.'),
};

export const usageSums = {
  requests: z.number().int().min(0).describe('How many requests.'),
  ...outcomeCounts,
  failures: z
    .number()
    .int()
    .min(0)
    .describe('The same as failed, for clients of earlier versions.'),
  cost_usd: z.number().min(0).describe('The amount charged, in US dollars.'),
};

const Sums = z.object(usageSums);

export const UsageDay = z
  .object({ day: CalendarDate.describe('The day, in UTC.'), ...usageSums })
  .describe('The usage of one day.');
export type UsageDay = z.infer<typeof UsageDay>;

export const UsageLine = z
  .object({
    group: z
      .string()
      .describe('The day, provider, key, tool, account or value of the tag; empty for none.'),
    ...usageSums,
    previous: Sums.optional().describe('In the previous range, with compare.'),
    days: z.array(UsageDay).optional().describe('Each day with usage, with interval.'),
  })
  .describe('The usage of one group.');
export type UsageLine = z.infer<typeof UsageLine>;

export const UsageReport = z
  .object({
    by: z.string().describe('What it is grouped by.'),
    usage: z.array(UsageLine).describe('One line for each group.'),
    total: Sums.describe(
      'All requests of the range. By tag, a request with two tags is in two lines.',
    ),
    previous: Sums.optional().describe('In the previous range, with compare.'),
  })
  .describe('Usage, added up by group.');
export type UsageReport = z.infer<typeof UsageReport>;

/** The query of `GET /v1/usage`. */
export const OwnUsageQuery = z
  .strictObject({
    by: groupedBy(ownGroups, 'day, tool, provider, key, tag').describe(
      'What to group by: day, tool, provider, key, tag (the names of tags), or tag:NAME.',
    ),
    ...usageOptions,
  })
  .superRefine(checkRange);
export type OwnUsageQuery = z.infer<typeof OwnUsageQuery>;

const kept = z.number().int().min(0);
export const StoredUse = z
  .object({
    bytes: kept.describe('All of it, in bytes.'),
    max_bytes: kept.describe('How much the account may store.'),
    uploads: kept.describe('Recordings.'),
    answers: kept.describe('Answers stored under idempotency keys, and batches.'),
    transcripts: kept.describe('Transcripts, and the documents they were made from.'),
    tags: kept.describe('Tags of requests, approximately.'),
  })
  .describe('What the account stores on the gateway.');
export type StoredUse = z.infer<typeof StoredUse>;

export const OwnUsage = UsageReport.extend({
  stored: StoredUse.optional(),
}).describe('The usage of the account, or of the key, added up by group.');
export type OwnUsage = z.infer<typeof OwnUsage>;

/** The query of `GET /v1/jobs`. */
export const OwnJobQuery = z.strictObject({
  status: JobStatus.optional().describe('Only jobs in this state.'),
  ...PageQuery.shape,
});
export type OwnJobQuery = z.infer<typeof OwnJobQuery>;

export const JobSummary = Job.omit({ result: true })
  .extend({ cost_usd: z.number().min(0).describe('The amount charged, in US dollars.') })
  .describe('A transcription job without its transcript.');
export type JobSummary = z.infer<typeof JobSummary>;

export const OwnJobList = z
  .object({ jobs: z.array(JobSummary).describe('Newest first.'), ...ListEnd.shape })
  .describe('A page of the jobs of the account, or of the key.');
export type OwnJobList = z.infer<typeof OwnJobList>;
