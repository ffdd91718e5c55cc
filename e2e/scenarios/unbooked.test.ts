// A deferred settlement that cannot be booked is logged and counted at once.
import { test } from 'bun:test';
import { startGatewayProcess } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { openStore } from '../store-file.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { expect, proves } from '../proves.ts';
import { waitFor } from '../wait-for.ts';

const counter = 'trivium_ledger_unbooked_total';

test('a deferred settlement that cannot be booked is logged as an error and counted', async () => {
  await using upstream = startUpstream(() => exaAnswer([]));
  await using gateway = await startGatewayProcess({ env: { ...upstream.env, LOG_LEVEL: 'error' } });
  // After the first request, the account's available balance is in memory.
  await gateway.post('/v1/search', { query: 'solar' });
  expect(await unbooked(gateway)).toBe(0);
  const store = openStore(gateway.store_dir);
  store.run(
    `create trigger no_settles before insert on transfers when new.kind = 'settle'
       begin select raise(abort, 'this settle is refused'); end`,
  );
  expect((await gateway.post('/v1/search', { query: 'solar' })).status).toBe(200);
  await waitFor(() => unbooked(gateway), { what: 'the settlement is counted' });
  await proves('surface.metrics', async () => expect(await unbooked(gateway)).toBe(1));
  expect(errorsIn(gateway)).toEqual([
    expect.objectContaining({ level: 50, task: 'post', reason: 'this settle is refused' }),
  ]);
  // Later settlements are booked, and the lost one stays counted.
  store.run('drop trigger no_settles');
  store.close();
  expect((await gateway.post('/v1/search', { query: 'solar' })).status).toBe(200);
  expect(await unbooked(gateway)).toBe(1);
});

async function unbooked(gateway: GatewayProcess): Promise<number> {
  // Reading the balance makes the store book its deferred settlements.
  await gateway.get('/v1/balance');
  const { text } = await gateway.get('/metrics');
  return Number(new RegExp(`^${counter} (\\d+)$`, 'm').exec(text)?.[1]);
}

function errorsIn(gateway: GatewayProcess): unknown[] {
  const lines = gateway.output().split('\n');
  return lines.filter((line) => line.includes('deferred_row')).map((line) => JSON.parse(line));
}
