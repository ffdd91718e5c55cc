// One operation of the OpenAPI document: how each endpoint of a table is written down.
import { z } from 'zod';
import type { ErrorType } from './errors.ts';
import { errors, status_errors } from './examples.ts';
import type { ComponentName } from './openapi-components.ts';

/** The error types that may come with each status; the first gives the example. */
export const documented_errors = {
  400: ['invalid_request'],
  401: ['unauthorized'],
  402: ['insufficient_credits'],
  403: ['unauthorized'],
  404: ['not_found'],
  409: ['invalid_request'],
  413: ['invalid_request'],
  429: ['rate_limited'],
  500: ['internal_error'],
  501: ['provider_not_available'],
  502: ['provider_error'],
  503: ['provider_not_configured', 'provider_not_available'],
} as const satisfies Record<number, readonly ErrorType[]>;

export type ErrorStatus = keyof typeof documented_errors;

export type Examples = Record<string, { value: unknown }>;

export type Endpoint = {
  id: string;
  success: { status: 200 | 201 | 202; meaning: string; schema: ComponentName; examples: Examples };
  failures: readonly ErrorStatus[];
};

export type PostEndpoint = Endpoint & { request: { schema: ComponentName; examples: Examples } };

export const text_header = { schema: { type: 'string' } };

export function operation(
  tag: string,
  summary: string,
  endpoint: Endpoint,
  more_headers = {},
): object {
  const { status, meaning, schema, examples: shown } = endpoint.success;
  const headers = { 'x-request-id': text_header, ...more_headers };
  const failures = endpoint.failures.map((failure) => [failure, failureResponse(failure)] as const);
  return {
    operationId: endpoint.id,
    summary,
    tags: [tag],
    responses: {
      [status]: { description: meaning, headers, content: json(schema, shown) },
      ...Object.fromEntries(failures),
    },
  };
}

const error_meanings: Record<ErrorStatus, string> = {
  400: 'The request is not valid, or strict is set and it cannot be honoured exactly.',
  401: 'The API key is missing or not valid.',
  402: 'The balance, or x-max-cost-usd, does not cover what the request may cost.',
  403: 'Only the pages of the dashboard may ask this.',
  404: 'There is no such job, account or key.',
  409: 'The Idempotency-Key belongs to another body, or its first request is still running.',
  413: 'The body is larger than 1 MiB.',
  429: 'Too many requests with this key; Retry-After says when to come back.',
  500: 'Something broke on our side.',
  501: 'The provider is switched off on this deployment.',
  502: 'The provider failed or did not answer in time.',
  503: 'The provider is not configured or not available, or jobs cannot be taken at the moment.',
};

function failureResponse(status: ErrorStatus): object {
  const retry = status === 429 ? { 'Retry-After': text_header } : {};
  const shown = documented_errors[status].map((type) => [
    type,
    { value: status_errors[status] ?? errors[type] },
  ]);
  return {
    description: error_meanings[status],
    headers: { 'x-request-id': text_header, ...retry },
    content: json('ErrorEnvelope', Object.fromEntries(shown) as Examples),
  };
}

export function json(schema: ComponentName, shown: Examples): object {
  const reference = { $ref: `#/components/schemas/${schema}` };
  return { 'application/json': { schema: reference, examples: shown } };
}

export function inline(schema: z.ZodType): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
