// The dashboard's overview page: balance, requests, failures and latency over a time range.
import { z } from 'zod';
import { AccountId } from './admin.ts';
import { Timestamp } from './common.ts';
import { ProviderId } from './ids.ts';
import { usageSums } from './usage.ts';

export const overviewSpans = ['24h', '7d', '30d', '90d'] as const;
export type OverviewSpan = (typeof overviewSpans)[number];

export const OverviewQuery = z.strictObject({
  account_id: AccountId,
  span: z.enum(overviewSpans).default('7d').describe('The time range, which ends now.'),
  zone: z
    .string()
    .min(1)
    .max(64)
    .refine(isZone, { error: 'Must be a time zone, such as Europe/Berlin.' })
    .default('UTC')
    .describe('The time zone of the days, such as Europe/Berlin.'),
});
export type OverviewQuery = z.infer<typeof OverviewQuery>;

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export const OverviewPoint = z.object({
  at: z.string().describe('The start of the hour, day or week.'),
  until: z.string().describe('Its end, which is not included.'),
  ...usageSums,
});
export type OverviewPoint = z.infer<typeof OverviewPoint>;

export const OverviewPart = z.object({
  group: z.string().describe('The tool, provider or key.'),
  ...usageSums,
});
export type OverviewPart = z.infer<typeof OverviewPart>;

export const CostSeries = z.object({
  group: z.string().nullable().describe('The provider or key; null for all others together.'),
  cost_usd: z.array(z.number().min(0)).describe('The amount charged, one for each point.'),
});
export type CostSeries = z.infer<typeof CostSeries>;

const percentiles = z.array(z.number().nullable());

export const LatencySeries = z.object({
  id: z.string().describe('The id of the provider.'),
  p50_ms: percentiles.describe('The median, one for each point; null without requests.'),
  p95_ms: percentiles.describe('The 95th percentile, one for each point.'),
});
export type LatencySeries = z.infer<typeof LatencySeries>;

export const Latency = z.object({
  requests: z.number().int().min(0).describe('How many requests were measured.'),
  failures: z.number().int().min(0).describe('How many of them failed.'),
  p50_ms: z.number().nullable().describe('The median, in milliseconds.'),
  p95_ms: z.number().nullable().describe('The 95th percentile, in milliseconds.'),
});
export type Latency = z.infer<typeof Latency>;

export const ProviderRecord = Latency.extend({
  id: z.string().describe('The id of the provider.'),
});
export type ProviderRecord = z.infer<typeof ProviderRecord>;

export const Overview = z
  .object({
    span: z.enum(overviewSpans).describe('The time range.'),
    zone: z
      .string()
      .describe(
        'The time zone of the days: the requested one, or UTC if the range has more than ' +
          '50,000 requests or begins before the request log.',
      ),
    balance_usd: z.number().describe('Available to spend, without held amounts.'),
    held_usd: z.number().describe('Held for requests in progress.'),
    total: z.object(usageSums).describe('All requests of the time range.'),
    previous: z
      .object(usageSums)
      .describe('The same for the previous time range, up to the same hour of its last day.'),
    points: z
      .array(OverviewPoint)
      .describe('The same by hour, by day, or for 90 days by week; oldest first.'),
    by_tool: z.array(OverviewPart).describe('The same by tool.'),
    by_provider: z.array(OverviewPart).describe('The same by provider.'),
    by_key: z.array(OverviewPart).describe('The same by key.'),
    cost_by_provider: z.array(CostSeries).describe('Cost over time of the six largest providers.'),
    cost_by_key: z.array(CostSeries).describe('Cost over time of the six largest keys.'),
    latency: Latency.describe('Latency over the time range, from a sample of each point.'),
    latency_by_provider: z.array(ProviderRecord).describe('The same by provider.'),
    latency_over_time: z
      .array(LatencySeries)
      .describe('Latency of the six busiest providers, from a sample of each point.'),
  })
  .describe('An account over a time range.');
export type Overview = z.infer<typeof Overview>;

export const ProviderRecordList = z
  .object({ records: z.array(ProviderRecord).describe('One entry for each provider in use.') })
  .describe('Recent latency and failures of the providers.');
export type ProviderRecordList = z.infer<typeof ProviderRecordList>;

export const ProviderHour = z
  .object({
    at: Timestamp.describe('The beginning of the hour, in UTC.'),
    served: z.number().int().min(0).describe('Requests that were served.'),
    failed: z.number().int().min(0).describe('Requests that failed.'),
    mean_ms: z
      .number()
      .int()
      .min(0)
      .nullable()
      .describe('The mean latency of its answers; null for transcriptions, which are jobs.'),
  })
  .describe('An hour of a provider, over all accounts.');
export type ProviderHour = z.infer<typeof ProviderHour>;

export const ProviderHourList = z
  .object({
    provider: ProviderId.describe('The provider.'),
    hours: z
      .array(ProviderHour)
      .describe('The last 30 days, oldest first; hours without requests are left out.'),
  })
  .describe('How often and how fast a provider answered, by hour.');
export type ProviderHourList = z.infer<typeof ProviderHourList>;

export const ProviderCheck = z
  .object({
    provider: ProviderId.describe('The provider that was called.'),
    ok: z.boolean().describe('Whether the call succeeded.'),
    latency_ms: z.number().int().min(0).describe('How long it took, in milliseconds.'),
    message: z.string().describe('What happened, in one sentence.'),
  })
  .describe('The outcome of one real call.');
export type ProviderCheck = z.infer<typeof ProviderCheck>;
