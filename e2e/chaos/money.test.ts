// Billing under kill -9: gateways and the database are killed under load, and every keyed request
// is charged once.
import { expect, test } from 'bun:test';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { SQL } from 'bun';
import { startPostgres } from '../../scripts/postgres.ts';
import { runChild } from '../child-process.ts';
import { startGatewayProcess } from '../harness.ts';
import type { GatewayProcess, GatewayOptions } from '../harness.ts';
import { killRounds as rounds } from '../lengths.ts';
import { openingUsd, optionsOver, priceUsd, startSearches } from './searches.ts';
import { makeKeyedRequests } from './keyed-requests.ts';
import type { KeyedRequests } from './keyed-requests.ts';
import { waitFor } from '../wait-for.ts';

const shortestRoundMs = 50;
const longestRoundMs = 300;
const sweepLimitMs = 120_000;

test('on the embedded store, a gateway that is killed repeatedly charges every request once', async () => {
  await using upstream = startSearches();
  await using gateway = await startGatewayProcess(optionsOver(upstream));
  const keyedRequests = makeKeyedRequests(() => gateway);
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all([keyedRequests.send(longestRoundMs), killSoon(gateway)]);
    await gateway.restart();
  }
  await checkCharges(keyedRequests, gateway, {});
});

test('on PostgreSQL, every request is charged once while one of two gateways is killed', async () => {
  await using database = await makeDatabase(process.env['TRIVIUM_TEST_DATABASE_URL'] ?? '');
  await using upstream = startSearches();
  await using place = await startPairOfProcesses(optionsOver(upstream), database.url);
  const { pair, keyedRequests } = place;
  for (let round = 0; round < rounds; round += 1) {
    const victim = pair[randomInt(pair.length)];
    if (!victim) throw new Error('There is no gateway to kill.');
    const killed = killSoon(victim).then(() => victim.restart());
    await Promise.all([keyedRequests.send(longestRoundMs), killed]);
  }
  await checkCharges(keyedRequests, pair[0], place.settings);
});

test('a database restart under load loses no request and charges none twice', async () => {
  const server = await startPostgres({ fsync: false });
  try {
    await using database = await makeDatabase(server.url);
    await using upstream = startSearches();
    await using place = await startPairOfProcesses(optionsOver(upstream), database.url);
    for (let round = 0; round < Math.ceil(rounds / 10); round += 1) {
      const restart = Bun.sleep(randomMs()).then(() => server.restart());
      await Promise.all([place.keyedRequests.send(longestRoundMs * 3), restart]);
    }
    await checkCharges(place.keyedRequests, place.pair[0], place.settings);
  } finally {
    await server.stop();
  }
});

async function killSoon(gateway: GatewayProcess): Promise<void> {
  await Bun.sleep(randomMs());
  await gateway.kill9();
}

function randomMs(): number {
  return randomInt(shortestRoundMs, longestRoundMs);
}

/** Two gateways that share one database, one key and one secret. */
async function startPairOfProcesses({ env }: GatewayOptions, databaseUrl: string) {
  const triviumBootstrapKey = `sk_live_${'c'.repeat(43)}`;
  const triviumSecret = 'one secret for both gateways, 32 or more';
  const shared = {
    ...env,
    TRIVIUM_BOOTSTRAP_KEY: triviumBootstrapKey,
    TRIVIUM_SECRET: triviumSecret,
  };
  const first = await startGatewayProcess({ env: shared, database_url: databaseUrl });
  const second = await startGatewayProcess({ env: shared, database_url: databaseUrl });
  const pair = [first, second] as const;
  return {
    pair,
    keyedRequests: makeKeyedRequests(() => pair[randomInt(pair.length)] ?? first),
    settings: { DATABASE_URL: databaseUrl, TRIVIUM_SECRET: triviumSecret },
    [Symbol.asyncDispose]: async () => {
      await first.close();
      await second.close();
    },
  };
}

/** Every request has one answer and one charge, and the audit passes. */
async function checkCharges(
  keyedRequests: KeyedRequests,
  gateway: GatewayProcess,
  settings: Record<string, string>,
): Promise<void> {
  await keyedRequests.finish();
  expect(keyedRequests.answered()).toBeGreaterThan(rounds);
  expect(await keyedRequests.findLost()).toEqual([]);
  const balance = await settledBalance(gateway);
  const spentMicro = Math.round((openingUsd - balance.balance_usd) * 1e6);
  expect(spentMicro).toBe(keyedRequests.answered() * Math.round(priceUsd * 1e6));
  const store = { TRIVIUM_DATA_DIR: gateway.data_dir, ...settings };
  const audit = runChild('server/src/app/commands/audit.ts', store, tmpdir());
  expect([await audit.ended(), audit.output()]).toEqual([
    0,
    expect.stringContaining('checks passed'),
  ]);
}

type Money = { balance_usd: number; held_usd: number };

/** The holds of a killed gateway are released once they have expired. */
async function settledBalance(gateway: GatewayProcess): Promise<Money> {
  return waitFor(async () => (await gateway.get('/v1/balance')).body as Money, {
    what: 'the holds of killed requests are released',
    limitMs: sweepLimitMs,
    until: ({ held_usd }) => held_usd === 0,
  });
}

async function makeDatabase(server: string): Promise<AsyncDisposable & { url: string }> {
  const name = `chaos_${Date.now()}_${randomInt(1_000_000)}`;
  const run = async (statement: string) => {
    const sql = new SQL({ url: server, max: 1 });
    await sql.unsafe(statement);
    await sql.close();
  };
  await run(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => run(`drop database ${name} with (force)`),
  };
}
