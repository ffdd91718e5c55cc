// The estimated cost of a request, before it is sent.
import { z } from 'zod';
import { toolNames } from './account.ts';
import { ProviderId } from './ids.ts';

export const Estimate = z
  .object({
    tool: z.enum(toolNames).describe('The tool that would be used.'),
    provider: z.string().describe('The provider that would serve the request, or fusion.'),
    calls: z.array(ProviderId).describe('Every provider that may be called.'),
    max_cost_usd: z
      .number()
      .min(0)
      .describe(
        'The maximum cost. For a transcription, the price of the longest ' +
          'recording, or of the real length if the recording was uploaded.',
      ),
    held_usd: z.number().min(0).describe('The amount held until it is done.'),
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
      .describe('The number of requests in that average, among the last 1000 of the account.'),
    balance_usd: z.number().describe('Available to spend.'),
  })
  .describe('The estimated cost of a request; no provider was called and nothing was charged.');
export type Estimate = z.infer<typeof Estimate>;
