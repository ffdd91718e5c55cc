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

export const circuit_states = ['closed', 'open', 'half_open'] as const;

export const ProviderHealth = z.object({
  circuit: z
    .enum(circuit_states)
    .describe(
      'closed: it is called; open: it failed often and is left alone; half_open: it is tried.',
    ),
  credentials: z.int().min(0).describe('How many credentials are used in turn.'),
  credentials_resting: z.int().min(0).describe('How many of them were refused lately and rest.'),
  running: z.int().min(0).describe('Calls under way.'),
  waiting: z.int().min(0).describe('Calls that wait for their turn.'),
});
export type ProviderHealth = z.infer<typeof ProviderHealth>;

export const ProviderDescription = z.object({
  id: ProviderId,
  name: z.string(),
  state: z.enum(['configured', 'not_configured', 'disabled']),
  health: ProviderHealth.optional().describe('As this gateway finds it; only when configured.'),
  tools: z.object({
    search: ToolDescription.optional(),
    extract: ToolDescription.optional(),
    transcription: ToolDescription.optional(),
  }),
});
export type ProviderDescription = z.infer<typeof ProviderDescription>;

export const ProvidersResponse = z.object({ providers: z.array(ProviderDescription) });
export type ProvidersResponse = z.infer<typeof ProvidersResponse>;
