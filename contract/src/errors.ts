// Errors of the API: one envelope, one map from type to status, one class to throw.
import { z } from 'zod';

export const errorTypes = [
  'unauthorized',
  'invalid_request',
  'provider_not_available',
  'provider_not_configured',
  'provider_error',
  'not_found',
  'insufficient_credits',
  'rate_limited',
  'internal_error',
] as const;

export const ErrorType = z.enum(errorTypes);
export type ErrorType = z.infer<typeof ErrorType>;

/** The default status of each type; `GatewayErrorOptions.status` overrides it. */
export const errorStatus = {
  unauthorized: 401,
  invalid_request: 400,
  provider_not_available: 501,
  provider_not_configured: 503,
  provider_error: 502,
  not_found: 404,
  insufficient_credits: 402,
  rate_limited: 429,
  internal_error: 500,
} as const satisfies Record<ErrorType, number>;

export const ErrorEnvelope = z
  .object({
    error: z
      .object({
        type: ErrorType.describe('The kind of error.'),
        message: z.string().describe('What went wrong and what to do, in sentences.'),
        detail: z
          .unknown()
          .optional()
          .describe(
            'For invalid_request, an object whose issues have a path, a code and a message each; ' +
              'for provider_error, what the provider returned.',
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

export type GatewayErrorOptions = {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
};

export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly type: ErrorType;
  readonly detail: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    type: ErrorType,
    message: string,
    detail: unknown = undefined,
    options: GatewayErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.type = type;
    this.detail = detail;
    this.status = options.status ?? errorStatus[type];
    this.headers = options.headers ?? {};
  }
}
