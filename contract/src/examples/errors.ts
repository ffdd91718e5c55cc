// Examples of errors.
import type { ErrorEnvelope, ErrorType, OpenAiError } from '../index.ts';

export const openAiError: OpenAiError = {
  error: {
    message: 'stream: This gateway returns a transcript as a whole.',
    type: 'invalid_request_error',
    param: 'stream',
    code: 'unsupported',
  },
};

export const errors: Record<ErrorType, ErrorEnvelope> = {
  unauthorized: failure('unauthorized', 'The API key is missing or not valid.'),
  invalid_request: failure('invalid_request', 'The request has 1 error.', {
    issues: [{ path: 'max_results', code: 'too_big', message: 'Must be at most 100.' }],
  }),
  provider_not_available: failure(
    'provider_not_available',
    'The provider cannot be used on this deployment now; choose another or auto.',
  ),
  provider_not_configured: failure(
    'provider_not_configured',
    'engine_f has no credential on this deployment; choose another provider or auto.',
  ),
  provider_error: failure('provider_error', 'engine_c answered with an error.', {
    provider: 'engine_c',
    status: 500,
    body: { error: 'internal' },
    error: 'internal',
  }),
  not_found: failure('not_found', 'There is no such job.'),
  insufficient_credits: failure(
    'insufficient_credits',
    'The balance does not cover what this request may cost.',
  ),
  rate_limited: failure('rate_limited', 'Too many requests with this key; try again shortly.'),
  internal_error: failure('internal_error', 'The gateway failed to handle this request.', {
    request_id: '019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d',
  }),
};

/** Examples for statuses whose error type is documented with another status as well. */
export const statusErrors: Readonly<Record<number, ErrorEnvelope>> = {
  409: failure(
    'invalid_request',
    'The Idempotency-Key 4f1c was used with a different body or path. Use a new key.',
  ),
  413: failure('invalid_request', 'The body is larger than the limit of 1048576 bytes.'),
};

function failure(type: ErrorType, message: string, detail?: unknown): ErrorEnvelope {
  return { error: { type, message, ...(detail === undefined ? {} : { detail }) } };
}
