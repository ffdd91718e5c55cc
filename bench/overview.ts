// The latency of the dashboard's overview with 100,000 requests in the log: response and rendering.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { overviewSpans } from '@trivium/contract';
import { startPostgres } from '../scripts/postgres.ts';
import { percentile } from '../server/src/requests/core/series.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { openPostgres } from '../server/src/store/postgres/postgres.ts';
import type { Database } from '../server/src/store/database.ts';
import { storeThread } from '../server/src/app/store-thread-url.ts';
import { openSqlite } from '../server/src/store/sqlite/sqlite.ts';
import type { AppContext } from '../server/src/app/context.ts';
import { readOverview } from '../server/src/reporting/reports.ts';
import { insertAccount } from '../server/src/accounts/store/accounts.ts';
import { migrate } from '../server/src/store/migrations/migrate.ts';
import { fillLog } from './overview/fill.ts';
import { drawOverview } from './overview/in-browser.ts';

const rows = Number(process.argv[2] ?? 100_000);
const rounds = 20;
const answerLimitMs = 150;
const drawnLimitMs = 1000;
const slowLimitMs = 5000;
const accountId = 'acct_bench';

const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-'));
const embedded = await openSqlite(join(folder, 'bench.sqlite'), storeThread);
await measure('SQLite', embedded);
await embedded.close();
rmSync(folder, { recursive: true });

const postgres = await startPostgres();
try {
  const shared = openPostgres(postgres.url);
  await measure('PostgreSQL', shared);
  await shared.close();
} finally {
  await postgres.stop();
}

const drawn = await drawOverview(rows, rounds);
printTimes('Chromium', 'drawn', drawn.times, drawnLimitMs);
printTimes('400 kbit/s', 'drawn', drawn.slow.times, slowLimitMs);
process.stdout.write(`${Math.round(drawn.slow.bytes / 1000)} kB in each round at 400 kbit/s\n`);

async function measure(name: string, database: Database): Promise<void> {
  const now = new Date();
  await migrate(database, now);
  await insertAccount(database, { id: accountId, name: 'Bench' }, now.getTime());
  await fillLog(database, { account_id: accountId, rows });
  const context = { database, clock: systemClock, ledger: { reserved: () => 0 } };
  for (const span of overviewSpans) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      const query = { account_id: accountId, span, zone: 'UTC' };
      await readOverview(context as unknown as AppContext, query);
      times.push(performance.now() - began);
    }
    printTimes(name, span, times, answerLimitMs);
  }
}

function printTimes(name: string, what: string, times: readonly number[], limitMs: number): void {
  const worst = Math.max(...times);
  const median = percentile(times, 0.5) ?? worst;
  process.stdout.write(
    `${name.padEnd(11)} ${rows} requests  ${what.padEnd(5)} median ${median.toFixed(1)} ms, ` +
      `worst ${worst.toFixed(1)} ms  ${worst <= limitMs ? 'ok' : `above ${limitMs} ms`}\n`,
  );
}
