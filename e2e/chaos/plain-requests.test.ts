// Callers without an idempotency key, whose holds are in the gateway's memory, under kill -9: every
// answered request is charged, and a request lost in a kill leaves no hold.
import { expect, test } from 'bun:test';
import { randomInt } from 'node:crypto';
import { auditStore } from '../audit-store.ts';
import { startGatewayProcess } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { killRounds as rounds } from '../lengths.ts';
import { openStore } from '../store-file.ts';
import { waitFor } from '../wait-for.ts';
import { openingUsd, optionsOver, priceUsd, startSearches } from './searches.ts';

const callers = 12;
const roundMs = 300;

test('on the embedded store, every answer is charged once and no hold remains after a kill', async () => {
  await using upstream = startSearches();
  await using gateway = await startGatewayProcess(optionsOver(upstream));
  const answered = new Set<string>();
  let unanswered = 0;
  const held: number[] = [];
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
    await Promise.all([kill(), ...Array.from({ length: callers }, caller)]);
    await gateway.restart();
    held.push((await balanceOf(gateway)).held_usd);
  }
  expect(answered.size).toBeGreaterThan(rounds);
  expect(held).toEqual(held.map(() => 0));
  const { balance_usd } = await balanceOf(gateway);
  const spent = Math.round((openingUsd - balance_usd) * 1e6);
  const charged = chargesIn(gateway.store_dir);
  expect([...answered].filter((id) => !charged.has(id))).toEqual([]);
  expect(spent).toBe(charged.size * Math.round(priceUsd * 1e6));
  // A charge without an answer belongs to a response that the kill interrupted.
  expect(charged.size).toBeLessThanOrEqual(answered.size + unanswered);
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

async function balanceOf(gateway: GatewayProcess) {
  const { body } = await gateway.get('/v1/balance');
  return body as { balance_usd: number; held_usd: number };
}

function chargesIn(dataDir: string): Set<string> {
  const store = openStore(dataDir, { readonly: true });
  const rows = store.query("select id from transfers where kind = 'settle'").all();
  store.close();
  return new Set(rows.map((row) => (row as { id: string }).id));
}
