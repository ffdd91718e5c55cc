// What a caller can read about its account: the balance, and what each provider can do.
import { z } from 'zod';
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

export const Balance = z.object({
  balance_usd: z.number().describe('Available to spend, in US dollars, without what is held.'),
  held_usd: z.number().min(0).describe('Held for requests in progress.'),
  credits: z.number().describe('Available to spend, in credits; one credit is 0.001 USD.'),
});
export type Balance = z.infer<typeof Balance>;

export const Capability = z.object({
  support: z.enum(supportKinds).describe('How the provider supports this parameter.'),
  note: z.string().optional(),
});
export type Capability = z.infer<typeof Capability>;

export const ToolDescription = z.object({
  capabilities: z.record(z.string(), Capability).describe('Keyed by parameter.'),
  prices: z.record(z.string(), z.number().min(0)).describe('US dollars, keyed by what is priced.'),
});
export type ToolDescription = z.infer<typeof ToolDescription>;

const circuitStates = ['closed', 'open', 'half_open'] as const;

export const ProviderHealth = z.object({
  circuit: z
    .enum(circuitStates)
    .describe(
      'closed: calls pass; open: repeated failures stop calls; half_open: one call tests it.',
    ),
  credentials: z.int().min(0).describe('How many credentials are configured.'),
  credentials_resting: z
    .int()
    .min(0)
    .describe('How many of them the vendor refused recently and are paused.'),
  running: z.int().min(0).describe('Calls in progress.'),
  waiting: z.int().min(0).describe('Calls queued behind the concurrency limit.'),
});
export type ProviderHealth = z.infer<typeof ProviderHealth>;

export const ProviderOverlap = z.object({
  provider: SearchEngineId,
  share: z
    .number()
    .min(0)
    .max(1)
    .describe('How much of their first ten results the two have in common, from 0 to 1.'),
  searches: z.int().min(0).describe('The fusions in which both returned pages.'),
});
export type ProviderOverlap = z.infer<typeof ProviderOverlap>;

export const ProviderDescription = z.object({
  id: ProviderId,
  name: z.string(),
  state: z.enum(['configured', 'not_configured', 'disabled']),
  health: ProviderHealth.optional().describe(
    'As seen by this gateway process; only when configured.',
  ),
  tools: z.object({
    search: ToolDescription.optional(),
    extract: ToolDescription.optional(),
    transcription: ToolDescription.optional(),
  }),
  overlap: z
    .array(ProviderOverlap)
    .optional()
    .describe(
      'What this engine has in common with others, by the fusions of this gateway since it ' +
        'started; the most first. A pair appears after 20 of them.',
    ),
});
export type ProviderDescription = z.infer<typeof ProviderDescription>;

export const ProvidersResponse = z.object({ providers: z.array(ProviderDescription) });
export type ProvidersResponse = z.infer<typeof ProvidersResponse>;
