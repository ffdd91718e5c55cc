// What an account can ask about: its money, and what each provider of the deployment can do.
import { z } from 'zod';
import { ProviderId } from './ids.ts';

export const tool_names = ['search', 'extract', 'transcription'] as const;
export type ToolName = (typeof tool_names)[number];

export const support_kinds = [
  'native',
  'approximated',
  'post_filtered',
  'trimmed',
  'conditional',
  'ignored',
] as const;

export const Balance = z.object({
  balance_usd: z.number().describe('Left to spend, in US dollars; what is held is taken off.'),
  held_usd: z.number().min(0).describe('The part set aside for requests under way.'),
  credits: z.number().describe('What is left to spend in credits; one credit is 0.001 USD.'),
});
export type Balance = z.infer<typeof Balance>;

export const Capability = z.object({
  support: z.enum(support_kinds).describe('How the provider takes this parameter.'),
  note: z.string().optional(),
});
export type Capability = z.infer<typeof Capability>;

export const ToolDescription = z.object({
  capabilities: z.record(z.string(), Capability).describe('Keyed by parameter.'),
  prices: z.record(z.string(), z.number().min(0)).describe('US dollars, keyed by what is priced.'),
});
export type ToolDescription = z.infer<typeof ToolDescription>;

export const ProviderDescription = z.object({
  id: ProviderId,
  name: z.string(),
  state: z.enum(['configured', 'not_configured', 'disabled']),
  tools: z.object({
    search: ToolDescription.optional(),
    extract: ToolDescription.optional(),
    transcription: ToolDescription.optional(),
  }),
});
export type ProviderDescription = z.infer<typeof ProviderDescription>;

export const ProvidersResponse = z.object({ providers: z.array(ProviderDescription) });
export type ProvidersResponse = z.infer<typeof ProvidersResponse>;
