// The audit log in the OpenAPI document: one page as JSON, or all of it as JSON lines.
import * as examples from './admin-examples.ts';
import { AuditQuery } from './audit-log.ts';
import { adminOperation, busy, queryParameters } from './openapi-admin-operation.ts';
import type { AdminEndpoint } from './openapi-admin-operation.ts';

export function readAuditOperation(): object {
  return adminOperation(readAudit);
}

const readAudit: AdminEndpoint = {
  id: 'readAuditLog',
  summary: 'Who changed what, the newest first',
  description:
    'Returns one page of the audit log, filtered. With Accept: application/x-ndjson, every ' +
    'matching entry is streamed as one line of JSON, and limit does not apply. Members may read ' +
    'the entries of their account.',
  response: 'AuditList',
  example: { entries: [examples.auditEntry], next_cursor: null, searched_until: null },
  lines: 'AuditEntry',
  failures: [400, ...busy],
  parameters: queryParameters(AuditQuery),
};
