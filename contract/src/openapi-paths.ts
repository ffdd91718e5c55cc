// The endpoints of the OpenAPI document as a table: what each takes, answers and fails with.
import { IdempotencyKey, MaxCostUsd } from './common.ts';
import * as examples from './examples.ts';
import { JobId } from './ids.ts';
import { adminPaths } from './openapi-admin.ts';
import { peoplePaths } from './openapi-people.ts';
import { inline, json, operation, text_header } from './openapi-operation.ts';
import type { Endpoint, PostEndpoint } from './openapi-operation.ts';

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
    ...adminPaths(),
    ...peoplePaths(),
  };
}

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

function post(tag: string, summary: string, endpoint: PostEndpoint): object {
  const { schema, examples: shown } = endpoint.request;
  return {
    ...operation(tag, summary, endpoint, { 'idempotent-replayed': text_header }),
    parameters: post_parameters,
    requestBody: { required: true, content: json(schema, shown) },
  };
}
