// Errors of the API as clients receive them: one envelope.
import { z } from 'zod';
import { errorTypes } from './gateway-error.ts';

export const ErrorType = z.enum(errorTypes);
export type ErrorType = z.infer<typeof ErrorType>;

export const ErrorEnvelope = z
  .object({
    error: z
      .object({
        type: ErrorType.describe('The kind of error.'),
        message: z.string().describe('What went wrong and what to do about it.'),
        detail: z
          .unknown()
          .optional()
          .describe(
            'For invalid_request, an object with issues, each of which has a path, a code ' +
              'and a message; for provider_error, what the provider returned.',
          ),
      })
      .describe('The error.'),
  })
  .describe('Every error response has this body.');
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

export const ValidationIssue = z.object({
  path: z.string().describe('Dotted path of the field; empty for the whole body.'),
  code: z.string(),
  message: z.string(),
});
export type ValidationIssue = z.infer<typeof ValidationIssue>;
