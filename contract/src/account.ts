// What callers can read: the balance of their account, and what each provider can do.
import { z } from 'zod';
import { Timestamp } from './common.ts';
import { ProviderId, SearchEngineId } from './ids.ts';

export const toolNames = ['search', 'extract', 'transcription'] as const;
export type ToolName = (typeof toolNames)[number];

const supportKinds = [
  'native',
  'approximated',
  'post_filtered',
  'trimmed',
  'conditional',
  'ignored',
] as const;

export const Balance = z
  .object({
    balance_usd: z.number().describe('Available to spend, in US dollars, without held amounts.'),
    held_usd: z.number().min(0).describe('Held for requests in progress.'),
    exposed_usd: z
      .number()
      .min(0)
      .describe(
        'What open transcriptions could cost beyond their holds, if the recordings are long.',
      ),
    credits: z.number().describe('Available to spend, in credits; one credit is 0.001 USD.'),
  })
  .describe('The balance of an account.');
export type Balance = z.infer<typeof Balance>;

export const Capability = z.object({
  support: z.enum(supportKinds).describe('How the provider supports this parameter.'),
  note: z.string().optional().describe('The limits of that support.'),
});
export type Capability = z.infer<typeof Capability>;

export const ToolDescription = z
  .object({
    capabilities: z.record(z.string(), Capability).describe('Keyed by parameter.'),
    prices: z.record(z.string(), z.number().min(0)).describe('Prices in US dollars.'),
    surcharges: z
      .record(z.string(), z.number().min(0))
      .optional()
      .describe(
        'For a transcription, the prices per hour of audio that parameters or native ' +
          'options add to the price of the model.',
      ),
  })
  .describe('What a provider supports in one tool, and its prices.');
export type ToolDescription = z.infer<typeof ToolDescription>;

const circuitStates = ['closed', 'open', 'half_open'] as const;

const refusalKinds = [
  'rate_limited',
  'unauthorized',
  'out_of_credit',
  'unavailable',
  'unreachable',
  'uncertain',
] as const;

export const ProviderRefusal = z
  .object({
    kind: z
      .enum(refusalKinds)
      .describe(
        'rate_limited: too many calls; unauthorized: the credential was refused; ' +
          'out_of_credit: the operator’s vendor account has no credit left; unavailable: ' +
          'the vendor failed; unreachable: no connection; uncertain: no usable answer ' +
          'arrived in time.',
      ),
    status: z.int().nullable().describe('The status of the vendor’s response, if there was one.'),
    at: Timestamp.describe('When it happened.'),
  })
  .describe('Why a provider did not serve a call.');
export type ProviderRefusal = z.infer<typeof ProviderRefusal>;

export const ProviderHealth = z
  .object({
    circuit: z
      .enum(circuitStates)
      .describe(
        'closed: calls are allowed; open: repeated failures block calls; half_open: a few ' +
          'calls test the provider.',
      ),
    credentials: z.int().min(0).describe('How many credentials are configured.'),
    credentials_resting: z
      .int()
      .min(0)
      .describe('How many of them are paused because the vendor recently refused them.'),
    credentials_refused: z
      .int()
      .min(0)
      .describe(
        'How many of them were invalid or out of credit when they were last used. A call that ' +
          'succeeds proves that a credential works again.',
      ),
    retry_at: Timestamp.nullable().describe('When an open circuit allows the next call.'),
    last_refusal: ProviderRefusal.nullable().describe(
      'The latest call that failed because of the provider or its credential.',
    ),
    running: z.int().min(0).describe('Calls in progress.'),
    waiting: z.int().min(0).describe('Calls queued behind the concurrency limit.'),
  })
  .describe('The health of a provider.');
export type ProviderHealth = z.infer<typeof ProviderHealth>;

export const ProviderOverlap = z
  .object({
    provider: SearchEngineId.describe('The other engine.'),
    share: z
      .number()
      .min(0)
      .max(1)
      .describe('The share of their first ten results that both engines return, from 0 to 1.'),
    searches: z
      .int()
      .min(0)
      .describe('The number of fusion searches in which both returned pages.'),
  })
  .describe('How much the results of two engines overlap.');
export type ProviderOverlap = z.infer<typeof ProviderOverlap>;

export const ProviderDescription = z
  .object({
    id: ProviderId.describe('The id to use in requests.'),
    name: z.string().describe('The name of the vendor.'),
    state: z
      .enum(['configured', 'not_configured', 'disabled'])
      .describe('Whether this deployment can use it.'),
    health: ProviderHealth.optional().describe(
      'As seen by this gateway process; only when configured.',
    ),
    tools: z
      .object({
        search: ToolDescription.optional(),
        extract: ToolDescription.optional(),
        transcription: ToolDescription.optional(),
      })
      .describe('The tools that it supports; others are absent.'),
    simulated: z
      .array(
        z.object({
          started_at: Timestamp.describe('When it began.'),
          ended_at: Timestamp.nullable().describe('When it ended; null while it lasts.'),
        }),
      )
      .optional()
      .describe(
        'When a live deployment used it at the address of a sandbox, so that its results were ' +
          'invented; absent if never. In sandbox mode every provider is simulated.',
      ),
    overlap: z
      .array(ProviderOverlap)
      .optional()
      .describe(
        'How much the results of this engine overlap with those of others, over all fusion ' +
          'searches since this gateway started; the largest overlap first. A pair appears ' +
          'after 20 searches.',
      ),
  })
  .describe('A provider.');
export type ProviderDescription = z.infer<typeof ProviderDescription>;

/** By quality only for search. */
export const routings = ['order', 'cheapest', 'fastest', 'weighted', 'quality'] as const;
export type Routing = (typeof routings)[number];

export const AutoOrder = z
  .object({
    routing: z.enum(routings).describe('How auto chooses on this deployment.'),
    order: z
      .array(
        z.object({
          provider: ProviderId.describe('The provider.'),
          reason: z.string().describe('Why it has this position.'),
        }),
      )
      .describe('The configured providers, the first choice first.'),
  })
  .describe('The order in which auto tries the providers of a tool.');
export type AutoOrder = z.infer<typeof AutoOrder>;

export const ProvidersResponse = z
  .object({
    mode: z
      .enum(['live', 'sandbox'])
      .describe('In sandbox mode every vendor is simulated, and results are invented.'),
    providers: z.array(ProviderDescription).describe('Every provider, by id.'),
    auto: z
      .object({ search: AutoOrder, extract: AutoOrder, transcription: AutoOrder })
      .describe('The order of auto, as this gateway sees it for a plain request.'),
  })
  .describe('The providers.');
export type ProvidersResponse = z.infer<typeof ProvidersResponse>;
