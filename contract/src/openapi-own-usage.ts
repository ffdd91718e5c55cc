// What a caller reads about its own use, in the OpenAPI document: usage and jobs.
import * as examples from './examples.ts';
import { queryParameters } from './openapi-admin-operation.ts';
import { operation } from './openapi-operation.ts';
import type { Endpoint } from './openapi-operation.ts';
import { OwnJobQuery, OwnUsageQuery } from './usage.ts';

export function ownUsagePaths(): Record<string, object> {
  return {
    '/v1/usage': {
      get: {
        ...withCsv(operation('account', 'Read the usage', readOwnUsage)),
        parameters: queryParameters(OwnUsageQuery),
      },
    },
    '/v1/jobs': {
      get: {
        ...withCsv(operation('transcription', 'List the jobs', listOwnJobs)),
        parameters: queryParameters(OwnJobQuery),
      },
    },
  };
}

const readOwnUsage: Endpoint = {
  id: 'readOwnUsage',
  description:
    'Returns requests, failures and cost of the account of the key, added up by group. A key ' +
    'for its own use only gets its own. Days are those of UTC. With accept: text/csv it is CSV.',
  success: {
    status: 200,
    meaning: 'The usage, one line for each group.',
    schema: 'OwnUsage',
    examples: { by_tool: { value: examples.ownUsage } },
  },
  failures: [400, 401, 429, 500],
};

const listOwnJobs: Endpoint = {
  id: 'listOwnJobs',
  description:
    'Returns the jobs of the account of the key, the newest first, without their transcripts. A ' +
    'key for its own use only gets its own. With accept: text/csv it is CSV, and the header ' +
    'x-next-cursor has the cursor of the next page.',
  success: {
    status: 200,
    meaning: 'One page of jobs.',
    schema: 'OwnJobList',
    examples: { one: { value: examples.ownJobs } },
  },
  failures: [400, 401, 429, 500],
};

function withCsv(made: object): object {
  const { responses, ...rest } = made as { responses: Record<string, { content: object }> };
  const { 200: success, ...failures } = responses;
  const csv = { 'text/csv': { schema: { type: 'string' } } };
  const content = { ...success?.content, ...csv };
  return { ...rest, responses: { 200: { ...success, content }, ...failures } };
}
