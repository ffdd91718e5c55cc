// A database that fails over: the primary is killed under load and its synchronous standby takes
// over. Callers wait, and no charge is lost or doubled.
import { expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { SQL } from 'bun';
import { startPostgres } from '../../scripts/postgres.ts';
import { runChild } from '../child-process.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { makeKeyedRequests } from './keyed-requests.ts';
import { openingUsd, optionsOver, priceUsd, startSearches } from './searches.ts';

const roundMs = 1500;
const callers = 8;
const testLimitMs = 240_000;
const secret = 'one secret for both gateways, 32 or more';

test(
  'with a synchronous standby, a failover neither loses nor doubles a charge',
  async () => {
    const server = await startPostgres({ fsync: false });
    const gateways: Gateway[] = [];
    try {
      const standby = await server.addStandby();
      const databaseUrl = bothHosts(server.url, standby.url);
      await using upstream = startSearches();
      const { env } = optionsOver(upstream);
      const shared = {
        ...env,
        TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'f'.repeat(43)}`,
        TRIVIUM_SECRET: secret,
      };
      for (let count = 0; count < 2; count += 1) {
        gateways.push(await startGateway({ env: shared, database_url: databaseUrl }));
      }
      const [first, second] = gateways;
      if (!first || !second) throw new Error('There are two gateways.');
      const keyed = makeKeyedRequests(() => first);
      const plain = new Set<string>();
      const load = () => Promise.all([keyed.send(roundMs), sendPlain(second, plain, roundMs)]);
      await load();
      const failover = Bun.sleep(roundMs / 3).then(async () => {
        await server.killServer();
        await standby.promote();
      });
      await Promise.all([load(), failover]);
      await load();
      await keyed.finish();
      expect(await keyed.findLost()).toEqual([]);
      const charged = await chargesOn(standby.url);
      expect([...plain].filter((id) => !charged.has(id))).toEqual([]);
      expect(plain.size).toBeGreaterThan(50);
      const { body } = await first.get('/v1/balance');
      const spent = Math.round((openingUsd - (body as { balance_usd: number }).balance_usd) * 1e6);
      const held = Math.round((body as { held_usd: number }).held_usd * 1e6);
      expect(spent - held).toBe(charged.size * Math.round(priceUsd * 1e6));
      expect(charged.size).toBeGreaterThanOrEqual(plain.size + keyed.answered());
      const settings = { DATABASE_URL: databaseUrl, TRIVIUM_SECRET: secret };
      const audit = runChild('server/src/app/commands/audit.ts', settings, tmpdir());
      expect([await audit.ended(), audit.output()]).toEqual([0, expect.stringContaining('hold')]);
    } finally {
      for (const gateway of gateways) await gateway.close();
      await server.stop();
    }
  },
  testLimitMs,
);

/** Two hosts in one URL, in the syntax of libpq. */
function bothHosts(first: string, second: string): string {
  return first.replace(/@([^/]+)/, (_, host: string) => `@${host},${new URL(second).host}`);
}

/** Callers without an idempotency key, who know only the charges of answers they received. */
async function sendPlain(gateway: Gateway, answered: Set<string>, ms: number): Promise<void> {
  const until = Date.now() + ms;
  const caller = async () => {
    while (Date.now() < until) {
      const response = await fetch(`${gateway.url}/v1/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'solar', provider: 'engine_a' }),
      });
      await response.text();
      if (response.status === 200) answered.add(response.headers.get('x-request-id') ?? '');
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

async function chargesOn(url: string): Promise<Set<string>> {
  const sql = new SQL(url, { max: 1 });
  const rows = (await sql.unsafe("select id from transfers where kind = 'settle'")) as {
    id: string;
  }[];
  await sql.close();
  return new Set(rows.map(({ id }) => id));
}
