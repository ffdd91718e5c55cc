// How fast money moves: hold and settle as one life, on both stores, and the loop's worst block.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { system_clock } from '../server/src/platform/clock.ts';
import { openPostgres } from '../server/src/platform/database.ts';
import { openSqlite } from '../server/src/platform/sqlite.ts';
import type { Database } from '../server/src/platform/database.ts';
import { makeLog } from '../server/src/platform/log.ts';
import { makeLedger } from '../server/src/services/ledger.ts';
import type { Ledger } from '../server/src/services/ledger.ts';
import { insertAccount } from '../server/src/store/accounts.ts';
import { migrate } from '../server/src/store/migrate.ts';
import { showLoop, watchLoop } from './loop-probe.ts';
import { amountOf } from '../server/test/amount-of.ts';

const callers = 64;
const seconds = Number(process.argv[2] ?? 3);
const warm_up_lives = 2000;
const price = 7000;
let counter = 0;

const server = process.env['TRIVIUM_TEST_DATABASE_URL'];

for (const commit_ms of [0, 2]) {
  for (const accounts of [1, 100]) {
    await onSqlite((database) => measure('SQLite', database, accounts, commit_ms));
    if (server !== undefined) {
      await onPostgres(server, (database) => measure('PostgreSQL', database, accounts, commit_ms));
    }
  }
}

async function measure(
  name: string,
  database: Database,
  accounts: number,
  commit_ms: number,
): Promise<void> {
  await migrate(database, new Date());
  const slowed = commit_ms === 0 ? database : slowCommits(database, commit_ms);
  const ledger = makeLedger({ database: slowed, clock: system_clock, log: makeLog('warn') });
  const ids = Array.from({ length: accounts }, (_, at) => `acct_${at}`);
  for (const id of ids) {
    await insertAccount(database, { id, name: id }, 0);
    await ledger.topup({ id: `top_${id}`, account_id: id, amount: 1e12, reason: 'bench' });
  }
  await run(ledger, ids, { lives: warm_up_lives, until: Infinity });
  // A server does this by itself within a minute; plans made for empty tables are bad ones.
  await database.run('analyze');
  const endWatch = watchLoop();
  const cpu = process.cpuUsage();
  const began = performance.now();
  const took = await run(ledger, ids, { lives: Infinity, until: began + seconds * 1000 });
  const elapsed_s = (performance.now() - began) / 1000;
  const loop = endWatch();
  const used = process.cpuUsage(cpu);
  const cpu_us = (used.user + used.system) / took.length;
  took.sort((one, other) => one - other);
  const at = (share: number) => (took[Math.floor(took.length * share)] ?? 0).toFixed(1);
  process.stdout.write(
    `${name.padEnd(11)} ${String(accounts).padStart(3)} account(s)  +${commit_ms} ms a commit  ` +
      `${Math.round(took.length / elapsed_s)
        .toString()
        .padStart(6)} lives/s  ` +
      `p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  ${showLoop(loop)}  ` +
      `${cpu_us.toFixed(0)} µs of CPU a life\n`,
  );
}

/** Each life is what a request does: hold, settle with its row of the request log. */
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
      const account_id = ids[counter % ids.length] ?? '';
      const key_id = `key_${account_id}`;
      const began = performance.now();
      const expires_at = Date.now() + 60_000;
      await ledger.hold({
        id,
        account_id,
        key_id,
        uncapped: true,
        amount: amountOf(price),
        expires_at,
      });
      const { kind } = await ledger.settle(
        { id, account_id, cost: amountOf(price - 1000) },
        {
          request: {
            id,
            account_id,
            key_id,
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
      if (kind !== 'settled') throw new Error(`a life ended as ${kind}`);
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return took;
}

/** A disk that takes this long to say that it has written. */
function slowCommits(database: Database, commit_ms: number): Database {
  const { defer } = database;
  return {
    ...database,
    perform: async (task, input, lasting) => {
      const result = await database.perform(task, input, lasting);
      await Bun.sleep(commit_ms);
      return result;
    },
    ...(defer && {
      defer: async (task, input) => {
        await defer(task, input);
        await Bun.sleep(commit_ms);
      },
    }),
  };
}

async function onSqlite(work: (database: Database) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-'));
  const database = await openSqlite(join(folder, 'bench.sqlite'));
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
