// Billing under kill -9: a gateway is killed under load, and every request is charged once, with and
// without an idempotency key.
import { expect, test } from 'bun:test';
import { randomInt } from 'node:crypto';
import { auditStore } from '../audit-store.ts';
import { settledMoney } from '../billing/small-account.ts';
import { startGatewayProcess } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { killRounds as rounds } from '../lengths.ts';
import { openStore } from '../store-file.ts';
import { waitFor } from '../wait-for.ts';
import { openingUsd, optionsOver, priceUsd, startSearches } from './searches.ts';
import { makeKeyedRequests } from './keyed-requests.ts';

const plainCallers = 12;
const roundMs = 300;

test('every answer is charged once, keyed requests too, and no hold remains after a kill', async () => {
  await using upstream = startSearches();
  await using gateway = await startGatewayProcess(optionsOver(upstream));
  const keyed = makeKeyedRequests(() => gateway);
  const answered = new Set<string>();
  let unanswered = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = answered.size;
    let isKilled = false;
    const caller = async () => {
      while (!isKilled) {
        const id = await ask(gateway);
        if (id === undefined) unanswered += 1;
        else answered.add(id);
      }
    };
    const kill = async () => {
      const what = 'two answers before the kill';
      await waitFor(() => answered.size > before + 1, { what });
      await Bun.sleep(randomInt(0, roundMs));
      await gateway.kill9();
      isKilled = true;
    };
    const callers = Array.from({ length: plainCallers }, caller);
    await Promise.all([kill(), keyed.send(roundMs), ...callers]);
    await gateway.restart();
  }
  await keyed.finish();
  expect(keyed.answered()).toBeGreaterThan(rounds);
  expect(await keyed.findLost()).toEqual([]);
  expect(answered.size).toBeGreaterThan(rounds);
  const { balance } = await settledMoney(gateway);
  const charged = chargesIn(gateway.store_dir);
  expect([...answered].filter((id) => !charged.has(id))).toEqual([]);
  expect(openingUsd * 1e6 - balance).toBe(charged.size * Math.round(priceUsd * 1e6));
  // A charge without an answer belongs to a response that the kill interrupted.
  const plain = charged.size - keyed.answered();
  expect(plain).toBeGreaterThanOrEqual(answered.size);
  expect(plain).toBeLessThanOrEqual(answered.size + unanswered);
  await auditStore({ TRIVIUM_DATA_DIR: gateway.data_dir });
});

/** The id of the charged request; undefined when the connection broke. */
async function ask(gateway: GatewayProcess): Promise<string | undefined> {
  try {
    const response = await fetch(`${gateway.url}/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'solar', provider: 'engine_a' }),
      signal: AbortSignal.timeout(5000),
    });
    await response.text();
    return response.status === 200 ? (response.headers.get('x-request-id') ?? '') : undefined;
  } catch {
    await Bun.sleep(10);
    return undefined;
  }
}

function chargesIn(dataDir: string): Set<string> {
  using store = openStore(dataDir, { readonly: true });
  const rows = store.query("select id from transfers where kind = 'settle'").all();
  return new Set(rows.map((row) => (row as { id: string }).id));
}
