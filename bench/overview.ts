// How fast the dashboard's first page is with 100,000 requests in the log: answered, and drawn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { overview_spans } from '@trivium/contract';
import { startPostgres } from '../scripts/postgres.ts';
import { system_clock } from '../server/src/platform/clock.ts';
import { openPostgres } from '../server/src/platform/database.ts';
import type { Database } from '../server/src/platform/database.ts';
import { openSqlite } from '../server/src/platform/sqlite.ts';
import type { House } from '../server/src/services/house.ts';
import { readOverview } from '../server/src/services/overview.ts';
import { insertAccount } from '../server/src/store/accounts.ts';
import { migrate } from '../server/src/store/migrate.ts';
import { fillLog } from './overview/fill.ts';
import { drawOverview } from './overview/in-browser.ts';

const rows = Number(process.argv[2] ?? 100_000);
const rounds = 20;
const answer_limit_ms = 150;
const drawn_limit_ms = 1000;
const account_id = 'acct_bench';

const folder = mkdtempSync(join(tmpdir(), 'trivium-bench-'));
const embedded = await openSqlite(join(folder, 'bench.sqlite'));
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

tell('Chromium', 'drawn', await drawOverview(rows, rounds), drawn_limit_ms);

async function measure(name: string, database: Database): Promise<void> {
  const now = new Date();
  await migrate(database, now);
  await insertAccount(database, { id: account_id, name: 'Bench' }, now.getTime());
  await fillLog(database, { account_id, rows });
  const house = { database, clock: system_clock } as House;
  for (const span of overview_spans) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const began = performance.now();
      await readOverview(house, { account_id, span });
      times.push(performance.now() - began);
    }
    tell(name, span, times, answer_limit_ms);
  }
}

function tell(name: string, what: string, times: readonly number[], limit_ms: number): void {
  const worst = Math.max(...times);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  process.stdout.write(
    `${name.padEnd(11)} ${rows} requests  ${what.padEnd(5)} mean ${mean.toFixed(1)} ms, ` +
      `worst ${worst.toFixed(1)} ms  ${worst <= limit_ms ? 'ok' : `above ${limit_ms} ms`}\n`,
  );
}
