// Builds one operation of the OpenAPI document from an endpoint's entry in a table.
import { z } from 'zod';
import type { ErrorType } from './errors.ts';
import { errors, statusErrors } from './examples.ts';
import type { ComponentName } from './openapi-components.ts';

/** The error types that each status may carry. */
export const documentedErrors = {
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

export type ErrorStatus = keyof typeof documentedErrors;

export type Examples = Record<string, { value: unknown }>;

export type Endpoint = {
  /** Not the stem of a schema's name: generators append Request and Response to it. */
  id: string;
  description: string;
  success: {
    status: 200 | 201 | 202;
    meaning: string;
    schema: ComponentName;
    examples: Examples;
    /** The schema of each line, for callers that accept application/x-ndjson. */
    lines?: ComponentName;
  };
  failures: readonly ErrorStatus[];
};

export type PostEndpoint = Endpoint & { request: { schema: ComponentName; examples: Examples } };

export function textHeader(description: string): object {
  return { description, schema: { type: 'string' } };
}

const requestIdHeader = textHeader('The id of the request, also in the log.');

export function operation(
  tag: string,
  summary: string,
  endpoint: Endpoint,
  moreHeaders = {},
): object {
  const { status, meaning, schema, examples: shown, lines } = endpoint.success;
  const content = { ...json(schema, shown), ...(lines ? jsonLines(lines) : {}) };
  const headers = { 'x-request-id': requestIdHeader, ...moreHeaders };
  const failures = endpoint.failures.map((failure) => [failure, failureResponse(failure)] as const);
  return {
    operationId: endpoint.id,
    summary,
    description: endpoint.description,
    tags: [tag],
    responses: {
      [status]: { description: meaning, headers, content },
      ...Object.fromEntries(failures),
    },
  };
}

const errorMeanings: Record<ErrorStatus, string> = {
  400: 'The request is not valid, or strict is set and it cannot be honoured exactly.',
  401: 'The API key is missing or not valid.',
  402: 'The balance, or x-max-cost-usd, does not cover what the request may cost.',
  403: 'Only the dashboard may make this request.',
  404: 'There is no such job, upload, account or key.',
  409: 'The Idempotency-Key was used with another body, or its first request is still running.',
  413: 'The body is larger than the limit: 1 MiB, or that of uploads.',
  429: 'Too many requests with this key, or uploads at once; retry after Retry-After.',
  500: 'The gateway failed.',
  501: 'The provider is disabled on this deployment.',
  502: 'The provider failed or did not answer in time.',
  503: 'The provider is not configured or not available, or jobs cannot be accepted at the moment.',
};

function failureResponse(status: ErrorStatus): object {
  const retry = status === 429 ? { 'Retry-After': textHeader('How many seconds to wait.') } : {};
  const shown = documentedErrors[status].map((type) => [
    type,
    { value: statusErrors[status] ?? errors[type] },
  ]);
  return {
    description: errorMeanings[status],
    headers: { 'x-request-id': requestIdHeader, ...retry },
    content: json('ErrorEnvelope', Object.fromEntries(shown) as Examples),
  };
}

export function json(schema: ComponentName, shown: Examples): object {
  const reference = { $ref: `#/components/schemas/${schema}` };
  return { 'application/json': { schema: reference, examples: shown } };
}

function jsonLines(schema: ComponentName): object {
  return { 'application/x-ndjson': { schema: { $ref: `#/components/schemas/${schema}` } } };
}

export function inline(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}
