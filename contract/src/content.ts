// How text from the web is checked before a caller reads it: set by a header, or by the policy of
// the account or the key.
import { z } from 'zod';

export const contentModes = ['annotate', 'clean', 'block'] as const;

/** From the mildest to the strictest. */
export const ContentMode = z.enum(contentModes, {
  error: 'Must be annotate, clean or block.',
});
export type ContentMode = z.infer<typeof ContentMode>;

/** The stricter of several modes. */
export function strictestMode(
  ...modes: readonly (ContentMode | null | undefined)[]
): ContentMode | undefined {
  return contentModes.findLast((mode) => modes.includes(mode));
}

/** The limits of a token budget. */
export const minTokens = 100;
export const maxTokens = 1_000_000;
const tokensError = `Must be a whole number from ${minTokens} to ${maxTokens}.`;

/** The `x-trivium-max-tokens` header of a POST. */
export const MaxTokens = z
  .string()
  .regex(/^[1-9]\d{2,6}$/, { error: tokensError, abort: true })
  .refine((text) => Number(text) <= maxTokens, { error: tokensError });
