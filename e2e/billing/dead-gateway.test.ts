// A gateway that is dead, or frozen for so long that it looks dead: another gateway can use what
// its requests held and their idempotency keys, long before they would expire.
import { expect, test } from 'bun:test';
import { auditStore } from '../audit-store.ts';
import { createDatabase } from '../database.ts';
import { startGatewayProcess } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { waitFor } from '../wait-for.ts';

const priceUsd = 0.007;
const openingUsd = 1;
/** A hold of a search, and its idempotency key, would last for more than thirty seconds. */
const waitMs = 20_000;
const secret = 'one secret for the three gateways, long';

test('holds and keys of dead gateways are released at once, and one that resumes charges nothing twice', async () => {
  await using database = await createDatabase();
  const thawed = Promise.withResolvers<void>();
  const seen = new Set<unknown>();
  // The first call of each question is answered after its gateway has died.
  await using upstream = startUpstream(async ({ body }) => {
    const { query } = body as { query: string };
    if (!seen.has(query)) {
      seen.add(query);
      await thawed.promise;
    }
    return exaAnswer([], priceUsd);
  });
  const env = {
    ...upstream.env,
    TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'d'.repeat(43)}`,
    TRIVIUM_BOOTSTRAP_BALANCE_USD: String(openingUsd),
    TRIVIUM_SECRET: secret,
  };
  await using killed = await startGatewayProcess({ env, database_url: database.url });
  await using frozen = await startGatewayProcess({ env, database_url: database.url });
  await using other = await startGatewayProcess({ env, database_url: database.url });
  const lost = search(killed, 'killed').catch(() => undefined);
  const late = search(frozen, 'frozen').catch(() => undefined);
  await upstream.receives(2);
  await killed.kill9();
  process.kill(frozen.pid(), 'SIGSTOP');
  try {
    for (const key of ['killed', 'frozen']) {
      await waitFor(() => search(other, key), {
        what: `the key ${key} is free`,
        limitMs: waitMs,
        until: (status) => status === 200,
      });
    }
    await waitFor(() => moneyOf(other), {
      what: 'no hold is left',
      limitMs: waitMs,
      until: ({ held_usd }) => held_usd === 0,
    });
  } finally {
    process.kill(frozen.pid(), 'SIGCONT');
    thawed.resolve();
  }
  await Promise.all([late, lost]);
  expect((await moneyOf(other)).balance_usd).toBeCloseTo(openingUsd - 2 * priceUsd, 6);
  await auditStore({ DATABASE_URL: database.url, TRIVIUM_SECRET: secret });
});

/** The key is the question. */
async function search(gateway: Gateway, key: string): Promise<number> {
  const body = { query: key, provider: 'engine_a' };
  return (await gateway.post('/v1/search', body, { 'idempotency-key': key })).status;
}

async function moneyOf(gateway: Gateway): Promise<{ balance_usd: number; held_usd: number }> {
  return (await gateway.get('/v1/balance')).body as { balance_usd: number; held_usd: number };
}
