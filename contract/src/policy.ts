// Policies: what the requests of an account or of one key may do. An account's policy and a key's
// policy both apply; null means that a field sets no limit.
import { z } from 'zod';
import { toolNames } from './account.ts';
import { ContentMode } from './content.ts';
import { PolicyDomain } from './policy-domain.ts';
import { ProviderId } from './ids.ts';
import { providerIds } from './provider-names.ts';
import { Usd } from './usd.ts';

const maxPolicyDomains = 1000;
const maxPerMinute = 1_000_000;
const maxAtOnce = 100_000;
const maxCostUsd = 10_000;
/** Two days. A longer length that a provider reports is considered wrong. */
export const maxAudioMinutes = 2880;
/** A petabyte, as for the setting. */
const maxStoredMb = 1_000_000_000;
/** Ten years. */
const maxKeptHours = 87_600;

const PolicyDomains = z.array(PolicyDomain).min(1).max(maxPolicyDomains).nullable();

const AllowedProviders = z.array(ProviderId).min(1).max(providerIds.length).nullable();

const policyShape = {
  blocked_domains: PolicyDomains.describe(
    'Pages from these domains and their subdomains are removed from results and not extracted.',
  ),
  allowed_domains: PolicyDomains.describe(
    'Only pages from these domains and their subdomains; null for all.',
  ),
  tools: z
    .array(z.enum(toolNames))
    .min(1)
    .max(toolNames.length)
    .nullable()
    .describe('The only tools that may be used; null for all.'),
  providers: AllowedProviders.describe('The only providers that may be used; null for all.'),
  requests_per_minute: z
    .number()
    .int()
    .min(1)
    .max(maxPerMinute)
    .nullable()
    .describe('Requests per minute, over all gateways; further ones get a 429.'),
  requests_at_once: z
    .number()
    .int()
    .min(1)
    .max(maxAtOnce)
    .nullable()
    .describe('Requests in progress, over all gateways; further ones get a 429.'),
  max_cost_usd: Usd.min(0)
    .max(maxCostUsd)
    .nullable()
    .describe('The maximum cost of one request; a request that could cost more gets a 400.'),
  max_audio_minutes: z
    .int()
    .min(1)
    .max(maxAudioMinutes)
    .nullable()
    .describe(
      'The length to assume for a recording of unknown length, in minutes. It can only ' +
        'lower TRIVIUM_MAX_AUDIO_MINUTES.',
    ),
  overdraft_usd: Usd.min(0)
    .max(maxCostUsd)
    .nullable()
    .describe(
      'How far below zero open transcriptions may take the balance. For an account it ' +
        'replaces TRIVIUM_OVERDRAFT_USD; for a key it can only lower it.',
    ),
  max_stored_mb: z
    .int()
    .min(1)
    .max(maxStoredMb)
    .nullable()
    .describe(
      'How much the account may store, in MiB: uploads, transcripts, stored answers and ' +
        "tags. A key cannot store more once the account has reached the key's limit. It can " +
        'only lower TRIVIUM_MAX_STORED_MB.',
    ),
  keep_query_hours: z
    .number()
    .int()
    .min(0)
    .max(maxKeptHours)
    .nullable()
    .describe(
      "How long the text of queries is kept; 0 keeps none, null uses the gateway's setting.",
    ),
  content: ContentMode.nullable().describe(
    'What to do with suspicious text from the web: annotate reports it in warnings, clean ' +
      'also removes hidden content, block removes the result. A request can ask for a ' +
      'stricter mode; null checks nothing.',
  ),
};

/** All fields of a policy. */
export const Policy = z.object(policyShape);
export type Policy = z.infer<typeof Policy>;

/** The fields of a policy in a request; an omitted field keeps its value. */
export const PolicyChange = Policy.partial();
export type PolicyChange = z.infer<typeof PolicyChange>;

export const noPolicy: Policy = {
  blocked_domains: null,
  allowed_domains: null,
  tools: null,
  providers: null,
  requests_per_minute: null,
  requests_at_once: null,
  max_cost_usd: null,
  max_audio_minutes: null,
  overdraft_usd: null,
  max_stored_mb: null,
  keep_query_hours: null,
  content: null,
};
