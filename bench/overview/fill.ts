// Fills the request log with many rows, to measure the dashboard.
import type { Database } from '../../server/src/store/database.ts';
import { writeRequests } from '../../server/src/requests/write-requests.ts';
import type { RequestRow } from '../../server/src/requests/core/request-row.ts';

const batch = 1000;
const engines = ['engine_a', 'engine_b', 'engine_c', 'engine_j', 'fusion'];
const keys = ['key_1', 'key_2', 'key_3', 'dashboard'];

/** All requests are of the last day, so that every time range shows all of them. */
export async function fillLog(
  database: Database,
  { account_id, rows }: { account_id: string; rows: number },
): Promise<void> {
  const now = Date.now();
  for (let from = 0; from < rows; from += batch) {
    const list = Array.from({ length: Math.min(batch, rows - from) }, (_, at) => {
      const place = from + at;
      const createdAt = now - Math.floor((place / rows) * 23 * 3_600_000);
      return requestAt(place, account_id, createdAt);
    });
    const outcome = { kind: 'settled', cost: 5000, again: false };
    const logged = list.map((request) => ({ request, outcome }));
    await database.transaction((tx) => writeRequests(tx, logged, false));
  }
}

function requestAt(place: number, accountId: string, createdAt: number): RequestRow {
  const failed = place % 50 === 0;
  return {
    id: `req_${place}`,
    account_id: accountId,
    key_id: keys[place % keys.length] ?? '',
    tool: place % 5 === 0 ? 'extract' : 'search',
    provider: engines[place % engines.length] ?? null,
    status: failed ? 502 : 200,
    error_type: failed ? 'provider_error' : null,
    warnings: 0,
    cost: 5000,
    reported_cost: null,
    latency_ms: 200 + (place % 700),
    created_at: createdAt,
  };
}
