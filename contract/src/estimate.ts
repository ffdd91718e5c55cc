// What a request may cost, before it is sent.
import { z } from 'zod';
import { toolNames } from './account.ts';
import { ProviderId } from './ids.ts';

export const Estimate = z
  .object({
    tool: z.enum(toolNames).describe('What would be requested.'),
    provider: z.string().describe('The provider that would serve, or fusion.'),
    calls: z.array(ProviderId).describe('Every provider that may be called.'),
    max_cost_usd: z
      .number()
      .min(0)
      .describe(
        'The most it can cost. For a transcription, the price of the longest recording, or of ' +
          'the real length where an upload shows it.',
      ),
    held_usd: z.number().min(0).describe('What is held until it is done.'),
    hour_cost_usd: z
      .number()
      .min(0)
      .nullable()
      .describe('For a transcription, the price of one hour of audio.'),
    average_cost_usd: z
      .number()
      .min(0)
      .nullable()
      .describe('What paid requests of this account cost on average, with this tool and provider.'),
    average_of: z
      .int()
      .min(0)
      .describe('The requests in that average, among the last 1000 of the account.'),
    balance_usd: z.number().describe('Available to spend.'),
  })
  .describe('What a request may cost; nothing was called or charged.');
export type Estimate = z.infer<typeof Estimate>;
