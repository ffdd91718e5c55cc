// The request log in the OpenAPI document.
import * as examples from './admin-examples.ts';
import { AccountId, maxExportRows } from './admin.ts';
import { adminOperation, busy, idParameter, queryParameters } from './openapi-admin-operation.ts';
import type { AdminEndpoint } from './openapi-admin-operation.ts';
import { inline, textHeader } from './openapi-operation.ts';
import { RequestExportQuery, RequestQuery } from './request-log.ts';

export function requestLogPaths(): Record<string, object> {
  return {
    '/admin/v1/requests': { get: adminOperation(listRequests) },
    '/admin/v1/requests/export': { get: exportOperation() },
    '/admin/v1/requests/{id}': { get: adminOperation(readRequest) },
  };
}

const listRequests: AdminEndpoint = {
  id: 'listRequests',
  summary: 'List requests, the newest first',
  description:
    'Returns one page of the request log, filtered. A search looks at a bounded number of ' +
    'requests: a page that is not full, or empty, with searched_until is continued by its cursor.',
  response: 'RequestList',
  example: { requests: [examples.request], next_cursor: null, searched_until: null },
  failures: [400, ...busy],
  parameters: queryParameters(RequestQuery),
};

const readRequest: AdminEndpoint = {
  id: 'readRequest',
  summary: 'Read one request of the log',
  description: 'Finds a request by its id, by the id of its answer, or by the id of its job.',
  response: 'RequestLine',
  example: examples.request,
  failures: [400, 404, ...busy],
  parameters: [
    idParameter(RequestQuery.shape.id.unwrap(), examples.request.id, 'The id of the request.'),
    {
      name: 'account_id',
      in: 'query',
      description: 'Only a request of this account; required for its members.',
      schema: inline(AccountId),
    },
  ],
};

/** Every request that the filters select, as one file. */
function exportOperation(): object {
  const { responses, ...operation } = adminOperation({
    ...listRequests,
    id: 'exportRequests',
    summary: 'Export the request log as CSV or JSON lines',
    description:
      'Returns every request that the filters select, the newest first, as one file. One export ' +
      `looks at ${maxExportRows.toLocaleString('en')} requests at most; if there are more, its ` +
      'last line has the cursor to continue with.',
    parameters: queryParameters(RequestExportQuery),
  }) as { responses: Record<string, object> };
  const file = { schema: { type: 'string' } };
  return {
    ...operation,
    responses: {
      ...responses,
      200: {
        description: 'The file.',
        headers: { 'x-request-id': textHeader('The id of the request, also in the log.') },
        content: { 'application/jsonl': file, 'text/csv': file },
      },
    },
  };
}
