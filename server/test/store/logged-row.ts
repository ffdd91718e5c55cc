// A row of the request log, for tests that care about its id and its time alone.
import type { RequestRow } from '../../src/store/requests.ts';

export function loggedRow(account_id: string): Omit<RequestRow, 'id'> {
  return {
    account_id,
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
