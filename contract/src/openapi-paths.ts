// The endpoints of the OpenAPI document as a table: request, response and failures of each.
import { CacheSeconds } from './common.ts';
import * as examples from './examples.ts';
import { JobId } from './ids.ts';
import { adminPaths } from './openapi-admin.ts';
import { estimatePaths } from './openapi-estimates.ts';
import { postParameters, replayedHeader, webhookParameter } from './openapi-headers.ts';
import { oauthPaths } from './openapi-oauth.ts';
import { openAiPaths } from './openapi-openai.ts';
import { ownUsagePaths } from './openapi-own-usage.ts';
import { peoplePaths } from './openapi-people.ts';
import { uploadPaths } from './openapi-uploads.ts';
import { webhookPaths } from './openapi-webhooks.ts';
import { inline, json, operation, textHeader } from './openapi-operation.ts';
import type { Endpoint, PostEndpoint } from './openapi-operation.ts';

export function paths(): Record<string, object> {
  return {
    '/v1/search': { post: post('search', 'Search the web', search) },
    '/v1/extract': { post: post('extract', 'Extract pages', extract) },
    '/v1/transcriptions': { post: post('transcription', 'Submit audio', transcribe) },
    ...uploadPaths(),
    ...openAiPaths(),
    '/v1/jobs/{id}': {
      get: {
        ...operation('transcription', 'Read a job', readJob),
        parameters: [jobParameter],
      },
    },
    ...ownUsagePaths(),
    '/v1/balance': { get: operation('account', 'Read the balance', readBalance) },
    '/v1/providers': { get: operation('account', 'List the providers', listProviders) },
    ...estimatePaths(),
    ...adminPaths(),
    ...peoplePaths(),
    ...webhookPaths(),
    ...oauthPaths(),
  };
}

const search: PostEndpoint = {
  id: 'searchWeb',
  description:
    'Searches with one engine, with the first one configured (auto), or with a panel of engines ' +
    'whose results are merged by consensus (fusion).',
  request: { schema: 'SearchRequest', examples: { search: { value: examples.searchRequest } } },
  success: {
    status: 200,
    meaning: 'The search results.',
    schema: 'SearchResponse',
    examples: { found: { value: examples.searchResponse } },
  },
  failures: [400, 401, 402, 409, 413, 429, 500, 501, 502, 503],
};

const extract: PostEndpoint = {
  id: 'extractPages',
  description:
    'Returns the cleaned content of up to 20 pages. A page that cannot be extracted is listed in ' +
    'failed and does not fail the others.',
  request: { schema: 'ExtractRequest', examples: { extract: { value: examples.extractRequest } } },
  success: {
    status: 200,
    meaning: 'The extracted pages; pages that could not be extracted are in failed.',
    schema: 'ExtractResponse',
    examples: { partly: { value: examples.extractResponse } },
  },
  failures: [400, 401, 402, 409, 413, 429, 500, 502, 503],
};

const transcribe: PostEndpoint = {
  id: 'createTranscription',
  description:
    'Accepts a recording by its URL and returns a job at once. The job is submitted once, ' +
    'charged once, and survives a restart of the gateway.',
  request: {
    schema: 'TranscriptionRequest',
    examples: { transcription: { value: examples.transcriptionRequest } },
  },
  success: {
    status: 202,
    meaning: 'The job was accepted; read it at /v1/jobs/{id}.',
    schema: 'TranscriptionAccepted',
    examples: { queued: { value: examples.transcriptionAccepted } },
  },
  failures: [400, 401, 402, 404, 409, 413, 429, 500, 503],
};

const readJob: Endpoint = {
  id: 'readJob',
  description:
    'Returns the state of a job, and its transcript once it is completed. Free of charge.',
  success: {
    status: 200,
    meaning: 'The job in its current state.',
    schema: 'Job',
    examples: {
      completed: { value: examples.completedJob },
      failed: { value: examples.failedJob },
    },
  },
  failures: [400, 401, 402, 404, 429, 500, 503],
};

const readBalance: Endpoint = {
  id: 'readBalance',
  description: 'Returns what the account of the key has left to spend.',
  success: {
    status: 200,
    meaning: 'The balance of the account.',
    schema: 'Balance',
    examples: { balance: { value: examples.balance } },
  },
  failures: [401, 429, 500],
};

const listProviders: Endpoint = {
  id: 'listProviders',
  description:
    'Returns every provider with its state, its health, its prices, and how it supports each ' +
    'parameter.',
  success: {
    status: 200,
    meaning: 'Every provider, what it can do and what it costs.',
    schema: 'ProvidersResponse',
    examples: { providers: { value: examples.providers } },
  },
  failures: [401, 429, 500],
};

const jobParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the job.',
  schema: inline(JobId),
  example: examples.completedJob.id,
};

const cacheParameter = {
  name: 'x-trivium-cache',
  in: 'header',
  description:
    'How many seconds old an answer from the cache may be; 0 uses no cache. The default is the ' +
    "operator's, usually 0.",
  schema: inline(CacheSeconds),
  example: '3600',
};

const cacheAnswer = {
  'x-trivium-cache': textHeader(
    'Where the answer came from, if the cache was used: hit with its age, joined, partial or miss.',
  ),
};

function post(tag: string, summary: string, endpoint: PostEndpoint): object {
  const { schema, examples: shown } = endpoint.request;
  const isCached = endpoint !== transcribe;
  return {
    ...operation(tag, summary, endpoint, {
      ...replayedHeader,
      ...(isCached ? cacheAnswer : {}),
    }),
    parameters: [...postParameters, isCached ? cacheParameter : webhookParameter],
    requestBody: { required: true, content: json(schema, shown) },
  };
}
