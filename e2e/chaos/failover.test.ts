// A database that fails over: the primary is killed or hangs under load, and its standby takes
// over. Callers wait, no charge is lost or doubled, and a primary that resumes is not used again.
import { expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { SQL } from 'bun';
import { startPostgres } from '../../scripts/postgres.ts';
import type { Postgres, Standby } from '../../scripts/postgres.ts';
import { runChild } from '../child-process.ts';
import { startGatewayProcess } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { isLong } from '../lengths.ts';
import { makeKeyedRequests } from './keyed-requests.ts';
import { openingUsd, optionsOver, priceUsd, startSearches } from './searches.ts';
import { waitFor } from '../wait-for.ts';

const roundMs = 1000;
const callers = 8;
const secret = 'one secret for both gateways, 32 or more';
/** A gateway that stays on the old primary never writes to the new one. */
const followLimitMs = 60_000;

const ends: readonly [how: string, end: (server: Postgres) => Promise<void>][] = [
  ['is killed', (server) => server.killServer()],
  ['hangs', (server) => Promise.resolve(server.freezeServer())],
];

// The next test has a primary that hangs as well; together with this one only the long tests have it.
for (const [how, end] of isLong ? ends : ends.slice(0, 1)) {
  test(`with a synchronous standby, a primary that ${how} neither loses nor doubles a charge`, async () => {
    await using pair = await startPairOfProcesses('synchronous');
    await using upstream = startSearches();
    const [first, second] = await pair.startGateways(optionsOver(upstream).env);
    const keyed = makeKeyedRequests(() => first);
    const plain = new Set<string>();
    const load = () => Promise.all([keyed.send(roundMs), sendPlain(second, plain, roundMs)]);
    await load();
    const failover = Bun.sleep(roundMs / 3).then(async () => {
      await end(pair.server);
      await pair.standby.promote();
    });
    await Promise.all([load(), failover]);
    await pair.followed();
    pair.server.thawServer();
    const before = plain.size;
    await load();
    expect(plain.size).toBeGreaterThan(before);
    await keyed.finish();
    expect(await keyed.findLost()).toEqual([]);
    const charged = await chargesOn(pair.standby.url);
    expect([...plain].filter((id) => !charged.has(id))).toEqual([]);
    expect(plain.size).toBeGreaterThan(callers);
    const { body } = await first.get('/v1/balance');
    const spent = Math.round((openingUsd - (body as { balance_usd: number }).balance_usd) * 1e6);
    const held = Math.round((body as { held_usd: number }).held_usd * 1e6);
    expect(spent - held).toBe(charged.size * Math.round(priceUsd * 1e6));
    expect(charged.size).toBeGreaterThanOrEqual(plain.size + keyed.answered());
    const settings = { DATABASE_URL: pair.databaseUrl, TRIVIUM_SECRET: secret };
    const audit = runChild('server/src/app/commands/audit.ts', settings, tmpdir());
    expect([await audit.ended(), audit.output()]).toEqual([0, expect.stringContaining('hold')]);
  });
}

test('with an asynchronous standby, a primary that resumes after the promotion acknowledges nothing', async () => {
  await using pair = await startPairOfProcesses('asynchronous');
  await using upstream = startSearches();
  const gateways = await pair.startGateways(optionsOver(upstream).env);
  const load = async (answered: Set<string>) => {
    await Promise.all(gateways.map((gateway) => sendPlain(gateway, answered, roundMs)));
  };
  await load(new Set());
  pair.server.freezeServer();
  await pair.standby.promote();
  // It accepts writes, and does not know that it is no longer the primary.
  pair.server.thawServer();
  await pair.followed();
  const leftAt = await beatsOn(pair.server.url);
  const answered = new Set<string>();
  await load(answered);
  expect(answered.size).toBeGreaterThan(callers);
  const charged = await chargesOn(pair.standby.url);
  expect([...answered].filter((id) => !charged.has(id))).toEqual([]);
  expect(await beatsOn(pair.server.url)).toEqual(leftAt);
});

interface Pair extends AsyncDisposable {
  server: Postgres;
  standby: Standby;
  databaseUrl: string;
  startGateways: (env: object | undefined) => Promise<[GatewayProcess, GatewayProcess]>;
  /** Resolves when both gateways work on the promoted standby. */
  followed: () => Promise<void>;
}

async function startPairOfProcesses(replication: 'synchronous' | 'asynchronous'): Promise<Pair> {
  const server = await startPostgres({ fsync: false });
  const gateways: GatewayProcess[] = [];
  const standby = await server.addStandby(replication);
  const databaseUrl = bothHosts(server.url, standby.url);
  return {
    server,
    standby,
    databaseUrl,
    startGateways: async (env) => {
      const shared = {
        ...env,
        TRIVIUM_BOOTSTRAP_KEY: `sk_live_${'f'.repeat(43)}`,
        TRIVIUM_SECRET: secret,
      };
      const start = async () => {
        const gateway = await startGatewayProcess({ env: shared, database_url: databaseUrl });
        gateways.push(gateway);
        return gateway;
      };
      return [await start(), await start()];
    },
    followed: async () => {
      const before = await beatsOn(standby.url);
      const moved = async () =>
        [...(await beatsOn(standby.url))].filter(([id, beat]) => beat > (before.get(id) ?? 0));
      await waitFor(moved, {
        what: 'the gateways follow the promotion',
        limitMs: followLimitMs,
        until: ({ length }) => length >= gateways.length,
      });
    },
    [Symbol.asyncDispose]: async () => {
      for (const gateway of gateways) await gateway.close();
      await server.stop();
    },
  };
}

/** Two hosts in one URL, in the syntax of libpq. */
function bothHosts(first: string, second: string): string {
  return first.replace(/@([^/]+)/, (_, host: string) => `@${host},${new URL(second).host}`);
}

/** Callers without an idempotency key, who know only the charges of answers they received. */
async function sendPlain(
  gateway: GatewayProcess,
  answered: Set<string>,
  ms: number,
): Promise<void> {
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

/** What is journaled is booked shortly after. */
async function chargesOn(url: string): Promise<Set<string>> {
  await waitFor(() => rowsOn(url, 'select 1 from deferred limit 1'), {
    what: 'the journal is booked',
    limitMs: followLimitMs,
    until: ({ length }) => length === 0,
  });
  const rows = await rowsOn(url, "select id from transfers where kind = 'settle'");
  return new Set(rows.map(({ id }) => String(id)));
}

/** How often each gateway has written its heartbeat, by its id. */
async function beatsOn(url: string): Promise<Map<string, number>> {
  const rows = await rowsOn(url, 'select id, beat from gateways');
  return new Map(rows.map(({ id, beat }) => [String(id), Number(beat)]));
}

async function rowsOn(url: string, text: string): Promise<Record<string, unknown>[]> {
  const sql = new SQL(url, { max: 1 });
  const rows = (await sql.unsafe(text)) as Record<string, unknown>[];
  await sql.close();
  return rows;
}
