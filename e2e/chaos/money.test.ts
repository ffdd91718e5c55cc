// Money under kill -9: gateways and the database die under load, and every order is paid once.
import { expect, test } from 'bun:test';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { SQL } from 'bun';
import { startPostgres } from '../../scripts/postgres.ts';
import { runChild } from '../child-process.ts';
import { startGateway } from '../harness.ts';
import type { Gateway, GatewayOptions } from '../harness.ts';
import { OPENING_USD, optionsOver, PRICE_USD, startSearches } from './searches.ts';
import { sendShoppers } from './shoppers.ts';
import type { Shoppers } from './shoppers.ts';

const ROUNDS = 30;
const SHORTEST_ROUND_MS = 50;
const LONGEST_ROUND_MS = 300;
const TEST_LIMIT_MS = 480_000;
const SWEEP_LIMIT_MS = 120_000;

test(
  'on the embedded store, a gateway killed again and again charges every order once',
  async () => {
    await using upstream = startSearches();
    await using gateway = await startGateway(optionsOver(upstream));
    const shoppers = sendShoppers(() => gateway);
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all([shoppers.shop(LONGEST_ROUND_MS), killSoon(gateway)]);
      await gateway.restart();
    }
    await judge(shoppers, gateway, {});
  },
  TEST_LIMIT_MS,
);

test(
  'on PostgreSQL, of two gateways one is killed while the other goes on, and orders are paid once',
  async () => {
    await using database = await makeDatabase(process.env['TRIVIUM_TEST_DATABASE_URL'] ?? '');
    await using upstream = startSearches();
    await using place = await startPair(optionsOver(upstream), database.url);
    const { pair, shoppers } = place;
    for (let round = 0; round < ROUNDS; round += 1) {
      const victim = pair[randomInt(pair.length)];
      if (!victim) throw new Error('There is nobody to kill.');
      const killed = killSoon(victim).then(() => victim.restart());
      await Promise.all([shoppers.shop(LONGEST_ROUND_MS), killed]);
    }
    await judge(shoppers, pair[0], place.settings);
  },
  TEST_LIMIT_MS,
);

test(
  'two gateways that share a balance for 50 serve exactly 50 of 200 requests at once',
  async () => {
    await using database = await makeDatabase(process.env['TRIVIUM_TEST_DATABASE_URL'] ?? '');
    await using upstream = startSearches();
    const opening_usd = 50 * PRICE_USD;
    await using place = await startPair(optionsOver(upstream, opening_usd), database.url);
    const body = { query: 'solar', provider: 'engine_a' };
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        (place.pair[at % 2] ?? place.pair[0]).post('/v1/search', body),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(statuses.filter((status) => status === 402)).toHaveLength(150);
    expect(upstream.received).toHaveLength(50);
    expect((await place.pair[0].get('/v1/balance')).body).toMatchObject({ balance_usd: 0 });
  },
  TEST_LIMIT_MS,
);

test(
  'a database that restarts under load loses no order and charges none twice',
  async () => {
    const server = await startPostgres({ fsync: false });
    try {
      await using database = await makeDatabase(server.url);
      await using upstream = startSearches();
      await using place = await startPair(optionsOver(upstream), database.url);
      for (let round = 0; round < ROUNDS / 10; round += 1) {
        const restart = Bun.sleep(randomMs()).then(() => server.restart());
        await Promise.all([place.shoppers.shop(LONGEST_ROUND_MS * 3), restart]);
      }
      await judge(place.shoppers, place.pair[0], place.settings);
    } finally {
      await server.stop();
    }
  },
  TEST_LIMIT_MS,
);

async function killSoon(gateway: Gateway): Promise<void> {
  await Bun.sleep(randomMs());
  await gateway.kill9();
}

function randomMs(): number {
  return randomInt(SHORTEST_ROUND_MS, LONGEST_ROUND_MS);
}

/** Two gateways that share one database, one key and one secret. */
async function startPair({ env }: GatewayOptions, database_url: string) {
  const TRIVIUM_BOOTSTRAP_KEY = `sk_live_${'c'.repeat(43)}`;
  const TRIVIUM_SECRET = 'one secret for both gateways, 32 or more';
  const shared = { ...env, TRIVIUM_BOOTSTRAP_KEY, TRIVIUM_SECRET };
  const first = await startGateway({ env: shared, database_url });
  const second = await startGateway({ env: shared, database_url });
  const pair = [first, second] as const;
  return {
    pair,
    shoppers: sendShoppers(() => pair[randomInt(pair.length)] ?? first),
    settings: { DATABASE_URL: database_url, TRIVIUM_SECRET },
    [Symbol.asyncDispose]: async () => {
      await first.close();
      await second.close();
    },
  };
}

/** Every order has one answer and one charge, and the books say so themselves. */
async function judge(
  shoppers: Shoppers,
  gateway: Gateway,
  settings: Record<string, string>,
): Promise<void> {
  await shoppers.finish();
  expect(shoppers.bought()).toBeGreaterThan(ROUNDS);
  expect(await shoppers.findLost()).toEqual([]);
  const balance = await settledBalance(gateway);
  const spent_micro = Math.round((OPENING_USD - balance.balance_usd) * 1e6);
  expect(spent_micro).toBe(shoppers.bought() * Math.round(PRICE_USD * 1e6));
  const store = { TRIVIUM_DATA_DIR: gateway.data_dir, ...settings };
  const audit = runChild('server/src/audit.ts', store, tmpdir());
  expect([await audit.ended(), audit.output()]).toEqual([
    0,
    expect.stringContaining('checks hold'),
  ]);
}

type Money = { balance_usd: number; held_usd: number };

/** What a killed gateway held is swept once it has expired. */
async function settledBalance(gateway: Gateway): Promise<Money> {
  for (const until = Date.now() + SWEEP_LIMIT_MS; Date.now() < until; await Bun.sleep(100)) {
    const { body } = await gateway.get('/v1/balance');
    if ((body as Money).held_usd === 0) return body as Money;
  }
  throw new Error('Money of dead requests is still held.');
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
