// Ledger throughput: hold and settle, on both stores, and the longest block of the event loop.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { systemClock } from '../server/src/platform/clock.ts';
import { openPostgres } from '../server/src/store/postgres/postgres.ts';
import { storeThread } from '../server/src/app/store-thread-url.ts';
import { openSqlite } from '../server/src/store/sqlite/sqlite.ts';
import type { Database } from '../server/src/store/database.ts';
import { makeLog } from '../server/src/platform/log.ts';
import { makeLedger } from '../server/src/billing/ledger.ts';
import type { Ledger } from '../server/src/billing/ledger.ts';
import { insertAccount } from '../server/src/accounts/store/accounts.ts';
import { migrate } from '../server/src/store/migrations/migrate.ts';
import { showLoop, watchLoop } from './loop-probe.ts';
import { amountOf } from '../server/test/amount-of.ts';

const callers = 64;
const seconds = Number(process.argv[2] ?? 3);
const warmUpLives = 2000;
const price = 7000;
let counter = 0;

const server = process.env['TRIVIUM_TEST_DATABASE_URL'];

for (const commitMs of [0, 2]) {
  for (const accounts of [1, 100]) {
    await onSqlite((database) => measure('SQLite', database, accounts, commitMs));
    if (server !== undefined) {
      await onPostgres(server, (database) => measure('PostgreSQL', database, accounts, commitMs));
    }
  }
}

async function measure(
  name: string,
  database: Database,
  accounts: number,
  commitMs: number,
): Promise<void> {
  await migrate(database, new Date());
  const slowed = commitMs === 0 ? database : slowCommits(database, commitMs);
  const ledger = makeLedger({ database: slowed, clock: systemClock, log: makeLog('warn') });
  const ids = Array.from({ length: accounts }, (_, at) => `acct_${at}`);
  for (const id of ids) {
    await insertAccount(database, { id, name: id }, 0);
    await ledger.topup({ id: `top_${id}`, account_id: id, amount: 1e12, reason: 'bench' });
  }
  await run(ledger, ids, { lives: warmUpLives, until: Infinity });
  // A server analyzes by itself within a minute; plans for empty tables are bad.
  await database.run('analyze');
  const endWatch = watchLoop();
  const cpu = process.cpuUsage();
  const began = performance.now();
  const took = await run(ledger, ids, { lives: Infinity, until: began + seconds * 1000 });
  const elapsedS = (performance.now() - began) / 1000;
  const loop = endWatch();
  const used = process.cpuUsage(cpu);
  const cpuUs = (used.user + used.system) / took.length;
  took.sort((one, other) => one - other);
  const at = (share: number) => (took[Math.floor(took.length * share)] ?? 0).toFixed(1);
  process.stdout.write(
    `${name.padEnd(11)} ${String(accounts).padStart(3)} account(s)  +${commitMs} ms per commit  ` +
      `${Math.round(took.length / elapsedS)
        .toString()
        .padStart(6)} lives/s  ` +
      `p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  ${showLoop(loop)}  ` +
      `${cpuUs.toFixed(0)} µs of CPU per request\n`,
  );
}

/** Does what a request does: hold, then settle with its row of the request log. */
async function run(
  ledger: Ledger,
  ids: readonly string[],
  limit: { lives: number; until: number },
): Promise<number[]> {
  const took: number[] = [];
  let begun = 0;
  const caller = async () => {
    while (begun < limit.lives && performance.now() < limit.until) {
      begun += 1;
      counter += 1;
      const id = `req_${Bun.randomUUIDv7()}`;
      const accountId = ids[counter % ids.length] ?? '';
      const keyId = `key_${accountId}`;
      const began = performance.now();
      const expiresAt = Date.now() + 60_000;
      await ledger.hold({
        id,
        account_id: accountId,
        key_id: keyId,
        uncapped: true,
        amount: amountOf(price),
        expires_at: expiresAt,
      });
      const { kind } = await ledger.settle(
        { id, account_id: accountId, cost: amountOf(price - 1000) },
        {
          request: {
            id,
            account_id: accountId,
            key_id: keyId,
            tool: 'search',
            provider: 'engine_a',
            status: 200,
            error_type: null,
            warnings: 0,
            cost: price,
            reported_cost: null,
            latency_ms: 100,
            created_at: Date.now(),
          },
        },
      );
      if (kind !== 'settled') throw new Error(`a request ended as ${kind}`);
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return took;
}

/** Simulates a disk with this sync time. */
function slowCommits(database: Database, commitMs: number): Database {
  const { defer } = database;
  return {
    ...database,
    perform: async (task, input, lasting) => {
      const result = await database.perform(task, input, lasting);
      await Bun.sleep(commitMs);
      return result;
    },
    ...(defer && {
      defer: async (task, input) => {
        await defer(task, input);
        await Bun.sleep(commitMs);
      },
    }),
  };
}

async function onSqlite(work: (database: Database) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-'));
  const database = await openSqlite(join(folder, 'bench.sqlite'), storeThread);
  await work(database);
  await database.close();
  rmSync(folder, { recursive: true });
}

async function onPostgres(url: string, work: (database: Database) => Promise<void>): Promise<void> {
  const name = `bench_${Date.now()}`;
  const admin = new SQL({ url, max: 1 });
  await admin.unsafe(`create database ${name}`);
  const place = new URL(url);
  place.pathname = `/${name}`;
  const database = openPostgres(place.href);
  await work(database);
  await database.close();
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.close();
}
