// The argument `max_tokens` of a tool, which becomes the header x-trivium-max-tokens.
import { maxTokens, minTokens } from '@trivium/contract';
import { z } from 'zod';

export function tokensArgument(description: string) {
  return z
    .int()
    .min(minTokens)
    .max(maxTokens)
    .optional()
    .describe(`${description} They are cut at the ends of sentences.`);
}
