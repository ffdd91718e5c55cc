// How fast the dashboard's first page is answered with 100,000 requests in the log, on both stores.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { overview_spans } from '@trivium/contract';
import { system_clock } from '../server/src/platform/clock.ts';
import { openPostgres } from '../server/src/platform/database.ts';
import type { Database } from '../server/src/platform/database.ts';
import { openSqlite } from '../server/src/platform/sqlite.ts';
import type { House } from '../server/src/services/house.ts';
import { readOverview } from '../server/src/services/overview.ts';
import { insertAccount } from '../server/src/store/accounts.ts';
import { migrate } from '../server/src/store/migrate.ts';
import { writeRequests } from '../server/src/services/write-requests.ts';
import type { RequestRow } from '../server/src/store/requests.ts';

const rows = Number(process.argv[2] ?? 100_000);
const batch = 1000;
const rounds = 20;
const limit_ms = 150;
const account_id = 'acct_bench';
const engines = ['engine_a', 'engine_b', 'engine_c', 'engine_j', 'fusion'];
const keys = ['key_1', 'key_2', 'key_3', 'dashboard'];

const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-'));
const embedded = await openSqlite(join(folder, 'bench.sqlite'));
await measure('SQLite', embedded);
await embedded.close();
rmSync(folder, { recursive: true });

const server = process.env['TRIVIUM_TEST_DATABASE_URL'];
if (server !== undefined) {
  const name = `bench_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = new SQL(server);
  await admin.unsafe(`create database ${name}`);
  const shared = openPostgres(Object.assign(new URL(server), { pathname: `/${name}` }).href);
  await measure('PostgreSQL', shared);
  await shared.close();
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.close();
}

/** All requests lie within the last day, so that every span shows all of them. */
async function measure(name: string, database: Database): Promise<void> {
  const now = Date.now();
  await migrate(database, new Date(now));
  await insertAccount(database, { id: account_id, name: 'Bench' }, now);
  for (let done = 0; done < rows; done += batch) await fill(database, done, now);
  const house = { database, clock: system_clock } as House;
  for (const span of overview_spans) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      await readOverview(house, { account_id, span });
      times.push(performance.now() - began);
    }
    const worst = Math.max(...times);
    const mean = times.reduce((sum, time) => sum + time, 0) / rounds;
    process.stdout.write(
      `${name.padEnd(11)} ${rows} requests  ${span.padEnd(4)} mean ${mean.toFixed(1)} ms, ` +
        `worst ${worst.toFixed(1)} ms  ${worst <= limit_ms ? 'ok' : `above ${limit_ms} ms`}\n`,
    );
  }
}

async function fill(database: Database, from: number, now: number): Promise<void> {
  const list = Array.from({ length: Math.min(batch, rows - from) }, (_, at): RequestRow => {
    const place = from + at;
    return {
      id: `req_${place}`,
      account_id,
      key_id: keys[place % keys.length] ?? '',
      tool: place % 5 === 0 ? 'extract' : 'search',
      provider: engines[place % engines.length] ?? null,
      status: place % 50 === 0 ? 502 : 200,
      error_type: place % 50 === 0 ? 'provider_error' : null,
      warnings: 0,
      cost: 5000,
      reported_cost: null,
      latency_ms: 200 + (place % 700),
      created_at: now - Math.floor((place / rows) * 23 * 3_600_000),
    };
  });
  const outcome = { kind: 'settled', cost: 5000, again: false };
  const logged = list.map((request) => ({ request, outcome }));
  await database.transaction((tx) => writeRequests(tx, logged, false));
}
