// The dashboard's overview page: balance, requests, failures and latency over a time range.
import { z } from 'zod';
import { AccountId } from './admin.ts';
import { ProviderId } from './ids.ts';

export const overviewSpans = ['24h', '7d', '30d', '90d'] as const;
export type OverviewSpan = (typeof overviewSpans)[number];

export const OverviewQuery = z.strictObject({
  account_id: AccountId,
  span: z.enum(overviewSpans).default('7d'),
});
export type OverviewQuery = z.infer<typeof OverviewQuery>;

const Totals = {
  requests: z.number().int().min(0),
  failures: z.number().int().min(0),
  cost_usd: z.number().min(0),
};

export const OverviewPoint = z.object({
  at: z.string().describe('The start of the hour or day, in UTC.'),
  ...Totals,
});
export type OverviewPoint = z.infer<typeof OverviewPoint>;

export const OverviewPart = z.object({
  group: z.string(),
  ...Totals,
});
export type OverviewPart = z.infer<typeof OverviewPart>;

export const Latency = z.object({
  requests: z.number().int().min(0).describe('How many of the latest requests were measured.'),
  failures: z.number().int().min(0),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
});
export type Latency = z.infer<typeof Latency>;

export const ProviderRecord = Latency.extend({ id: z.string() });
export type ProviderRecord = z.infer<typeof ProviderRecord>;

export const Overview = z.object({
  span: z.enum(overviewSpans),
  balance_usd: z.number(),
  held_usd: z.number(),
  total: z.object(Totals),
  points: z.array(OverviewPoint),
  by_tool: z.array(OverviewPart),
  by_provider: z.array(OverviewPart),
  by_key: z.array(OverviewPart),
  latency: Latency,
  latency_by_provider: z.array(ProviderRecord),
});
export type Overview = z.infer<typeof Overview>;

export const ProviderRecordList = z.object({ records: z.array(ProviderRecord) });
export type ProviderRecordList = z.infer<typeof ProviderRecordList>;

export const ProviderCheck = z.object({
  provider: ProviderId,
  ok: z.boolean(),
  latency_ms: z.number().int().min(0),
  message: z.string(),
});
export type ProviderCheck = z.infer<typeof ProviderCheck>;
