// A row of the request log, for tests in which only its id and time matter.
import type { RequestRow } from '../../src/requests/core/request-row.ts';

export function requestRow(accountId: string): Omit<RequestRow, 'id'> {
  return {
    account_id: accountId,
    key_id: 'key_1',
    tool: 'search',
    provider: 'engine_a',
    status: 200,
    error_type: null,
    warnings: 0,
    cost: 0,
    reported_cost: null,
    latency_ms: 1,
    created_at: 0,
  };
}
