// The endpoints of the OpenAPI document as a table: what each takes, answers and fails with.
import { z } from 'zod';
import { IdempotencyKey, MaxCostUsd } from './common.ts';
import type { ErrorType } from './errors.ts';
import * as examples from './examples.ts';
import { JobId } from './ids.ts';
import type { ComponentName } from './openapi-components.ts';

/** The error types that may come with each status; the first gives the example. */
export const documented_errors = {
  400: ['invalid_request'],
  401: ['unauthorized'],
  402: ['insufficient_credits'],
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

export function paths(): Record<string, object> {
  return {
    '/v1/search': { post: post('search', 'Search the web', search) },
    '/v1/extract': { post: post('extract', 'Extract pages', extract) },
    '/v1/transcriptions': { post: post('transcription', 'Submit audio', transcribe) },
    '/v1/jobs/{id}': {
      get: {
        ...operation('transcription', 'Read a job', readJob),
        parameters: [job_parameter],
      },
    },
    '/v1/balance': { get: operation('account', 'Read the balance', readBalance) },
    '/v1/providers': { get: operation('account', 'List the providers', listProviders) },
  };
}

type Examples = Record<string, { value: unknown }>;

type Endpoint = {
  id: string;
  success: { status: 200 | 202; meaning: string; schema: ComponentName; examples: Examples };
  failures: readonly ErrorStatus[];
};

type PostEndpoint = Endpoint & { request: { schema: ComponentName; examples: Examples } };

const search: PostEndpoint = {
  id: 'search',
  request: { schema: 'SearchRequest', examples: { search: { value: examples.search_request } } },
  success: {
    status: 200,
    meaning: 'What was found.',
    schema: 'SearchResponse',
    examples: { found: { value: examples.search_response } },
  },
  failures: [400, 401, 402, 409, 413, 429, 500, 501, 502, 503],
};

const extract: PostEndpoint = {
  id: 'extract',
  request: { schema: 'ExtractRequest', examples: { extract: { value: examples.extract_request } } },
  success: {
    status: 200,
    meaning: 'The pages, with those that could not be had in failed.',
    schema: 'ExtractResponse',
    examples: { partly: { value: examples.extract_response } },
  },
  failures: [400, 401, 402, 409, 413, 429, 500, 502, 503],
};

const transcribe: PostEndpoint = {
  id: 'createTranscription',
  request: {
    schema: 'TranscriptionRequest',
    examples: { transcription: { value: examples.transcription_request } },
  },
  success: {
    status: 202,
    meaning: 'The job was taken on; read it at /v1/jobs/{id}.',
    schema: 'TranscriptionAccepted',
    examples: { queued: { value: examples.transcription_accepted } },
  },
  failures: [400, 401, 402, 404, 409, 413, 429, 500, 503],
};

const readJob: Endpoint = {
  id: 'readJob',
  success: {
    status: 200,
    meaning: 'The job as it stands.',
    schema: 'Job',
    examples: {
      completed: { value: examples.completed_job },
      failed: { value: examples.failed_job },
    },
  },
  failures: [400, 401, 402, 404, 429, 500, 503],
};

const readBalance: Endpoint = {
  id: 'readBalance',
  success: {
    status: 200,
    meaning: 'The money of the account.',
    schema: 'Balance',
    examples: { balance: { value: examples.balance } },
  },
  failures: [401, 429, 500],
};

const listProviders: Endpoint = {
  id: 'listProviders',
  success: {
    status: 200,
    meaning: 'Every provider, what it can do and what it costs.',
    schema: 'ProvidersResponse',
    examples: { providers: { value: examples.providers } },
  },
  failures: [401, 429, 500],
};

const error_meanings: Record<ErrorStatus, string> = {
  400: 'The request is not valid, or strict is set and it cannot be honoured exactly.',
  401: 'The API key is missing or not valid.',
  402: 'The balance, or x-max-cost-usd, does not cover what the request may cost.',
  404: 'There is no such job.',
  409: 'The Idempotency-Key belongs to another body, or its first request is still running.',
  413: 'The body is larger than 1 MiB.',
  429: 'Too many requests with this key; Retry-After says when to come back.',
  500: 'Something broke on our side.',
  501: 'The provider is switched off on this deployment.',
  502: 'The provider failed or did not answer in time.',
  503: 'The provider is not configured, or jobs cannot be taken at the moment.',
};

const job_parameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: inline(JobId),
  example: examples.completed_job.id,
};

const post_parameters = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The same key with the same body gives the first answer again for 24 hours, free of charge.',
    schema: inline(IdempotencyKey),
  },
  {
    name: 'x-max-cost-usd',
    in: 'header',
    description: 'Refuse the request, before any provider is called, if it may cost more.',
    schema: inline(MaxCostUsd),
    example: '0.05',
  },
];

const text_header = { schema: { type: 'string' } };

function post(tag: string, summary: string, endpoint: PostEndpoint): object {
  const { schema, examples: shown } = endpoint.request;
  return {
    ...operation(tag, summary, endpoint, { 'idempotent-replayed': text_header }),
    parameters: post_parameters,
    requestBody: { required: true, content: json(schema, shown) },
  };
}

function operation(tag: string, summary: string, endpoint: Endpoint, more_headers = {}): object {
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

function failureResponse(status: ErrorStatus): object {
  const retry = status === 429 ? { 'Retry-After': text_header } : {};
  const shown = documented_errors[status].map((type) => [type, { value: examples.errors[type] }]);
  return {
    description: error_meanings[status],
    headers: { 'x-request-id': text_header, ...retry },
    content: json('ErrorEnvelope', Object.fromEntries(shown) as Examples),
  };
}

function json(schema: ComponentName, shown: Examples): object {
  const reference = { $ref: `#/components/schemas/${schema}` };
  return { 'application/json': { schema: reference, examples: shown } };
}

function inline(schema: z.ZodType): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema);
  return rest;
}
