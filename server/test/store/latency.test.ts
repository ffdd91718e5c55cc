// The latency of providers on both engines: of the requested range, and of served requests.
import { describe, expect, test } from 'bun:test';
import { readProviderRecords } from '../../src/requests/overview.ts';
import { sampleRequests } from '../../src/requests/store/samples.ts';
import type { Database } from '../../src/store/database.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

const rows = [
  { id: 'old', account: 'a', provider: 'engine_a', status: 200, latency: 9000, at: 1000 },
  { id: 'new', account: 'a', provider: 'engine_a', status: 200, latency: 100, at: 5000 },
  { id: 'other', account: 'b', provider: 'engine_a', status: 502, latency: 700, at: 5000 },
  { id: 'refused', account: 'a', provider: 'engine_b', status: 402, latency: 1, at: 5000 },
  { id: 'limited', account: 'a', provider: 'engine_a', status: 429, latency: 1, at: 5000 },
  { id: 'accepted', account: 'a', provider: 'stt_a', status: 202, latency: 0, at: 5000 },
];

describe.each(engines)('on $name', (engine) => {
  test('a sample contains the latest requests of all accounts', async () => {
    await using store = await makeStore(engine);
    await fill(store.database);
    const latencies = async (limit: number) =>
      (await sampleRequests(store.database, limit)).map(({ latency_ms }) => latency_ms);
    expect((await latencies(100)).toSorted()).toEqual([0, 1, 1, 100, 700, 9000]);
    expect(await latencies(5)).not.toContain(9000);
  });

  test('refusals count for none of the providers, and an accepted job has no latency', async () => {
    await using store = await makeStore(engine);
    await fill(store.database);
    const { records } = await readProviderRecords({ database: store.database });
    expect(records).toEqual([
      { id: 'engine_a', requests: 3, failures: 1, p50_ms: 100, p95_ms: 9000 },
      { id: 'stt_a', requests: 1, failures: 0, p50_ms: null, p95_ms: null },
    ]);
  });
});

async function fill(database: Database): Promise<void> {
  for (const { id, account, provider, status, latency, at } of rows) {
    await database.run(
      `insert into requests (id, account_id, key_id, tool, provider, status, warnings, cost,
         latency_ms, created_at) values ($1, $2, 'key', 'search', $3, $4, 0, 0, $5, $6)`,
      [id, account, provider, status, latency, at],
    );
  }
}
