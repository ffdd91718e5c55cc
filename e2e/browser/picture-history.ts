// A month of requests for the pictures, the same at every run.
import { writeRequests } from '../../server/src/requests/write-requests.ts';
import type { RequestRow } from '../../server/src/requests/core/request-row.ts';
import { storeThread } from '../../server/src/app/store-thread-url.ts';
import { openSqlite } from '../../server/src/store/sqlite/sqlite.ts';

const requests = 2400;
const dayMs = 86_400_000;
const engines = ['engine_a', 'fusion', 'engine_b', 'engine_c', 'engine_j', 'engine_k'];
const prices: Readonly<Record<string, number>> = { engine_a: 7000, fusion: 22_000 };

export async function addHistory(file: string): Promise<void> {
  const database = await openSqlite(file, storeThread);
  const now = Date.now();
  const rows = Array.from({ length: requests }, (_, place) => requestAt(place, now));
  const logged = rows.map((request) => ({
    request,
    outcome: { kind: 'settled', cost: request.cost, again: false },
  }));
  await database.transaction((tx) => writeRequests(tx, logged, false));
  await database.close();
}

/** Low usage at first, then more, less at weekends, and a few failures. */
function requestAt(place: number, now: number): RequestRow {
  const chance = (salt: number) => spread(place * 7 + salt);
  const provider = engines[Math.floor(chance(1) ** 1.7 * engines.length)] ?? 'engine_a';
  const day = Math.floor(chance(2) ** 1.4 * 58);
  const createdAt = now - (day + chance(3)) * dayMs;
  const failed = chance(4) < (day === 9 ? 0.2 : 0.02);
  const refused = !failed && chance(9) < 0.03;
  return {
    id: `req_history${place}`,
    account_id: 'acct_default',
    key_id: chance(5) < 0.3 ? 'dashboard' : `key_${chance(6) < 0.6 ? 'research' : 'website'}`,
    tool: provider !== 'fusion' && chance(7) < 0.2 ? 'extract' : 'search',
    provider,
    status: failed ? 502 : refused ? 402 : 200,
    error_type: failed ? 'provider_error' : refused ? 'insufficient_credits' : null,
    warnings: 0,
    cost: failed || refused ? 0 : (prices[provider] ?? 5000),
    reported_cost: null,
    latency_ms: Math.round(180 + 900 * chance(8) ** 3 * (provider === 'fusion' ? 2 : 1)),
    created_at: Math.floor(createdAt),
  };
}

/** A number from 0 to 1 that looks random and is always the same. */
function spread(seed: number): number {
  const turned = Math.sin(seed * 12.9898) * 43_758.5453;
  return turned - Math.floor(turned);
}
