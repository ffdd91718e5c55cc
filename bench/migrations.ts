// How long each migration takes on a large store of version 0.2.0, and how long payments of a
// running gateway wait in the meantime, on both engines.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../scripts/postgres.ts';
import type { Database } from '../server/src/store/database.ts';
import { migrate } from '../server/src/store/migrations/migrate.ts';
import { migrations } from '../server/src/store/migrations/index.ts';
import { openPostgres } from '../server/src/store/postgres/postgres.ts';
import { storeThread } from '../server/src/app/store-thread-url.ts';
import { openSqlite } from '../server/src/store/sqlite/sqlite.ts';
import { createDatabase } from './overhead/database.ts';
import { table } from './overhead/report.ts';

const rows = Number(process.argv[2] ?? 3_000_000);
const released = 41;
const rowsPerInsert = 100_000;
const slowMs = 20;

const insertions = {
  transfers: (id: string, from: string) => `insert into transfers
    (id, kind, account_id, amount, hold_id, key_id, created_at)
    select ${id}, 'settle', 'acct', -7000, ${id}, 'key', 1790000000000 ${from}`,
  requests: (id: string, from: string) => `insert into requests
    (id, account_id, key_id, tool, provider, status, warnings, cost, latency_ms, created_at)
    select ${id}, 'acct', 'key', 'search', 'engine_a', 200, 0, 7000, 900, 1790000000000 ${from}`,
  idempotency: (id: string, from: string) => `insert into idempotency
    (account_id, key, body_hash, owner, state, status, answer, expires_at)
    select 'acct', ${id}, ${id}, ${id}, 'done', 200, '{"results":[]}', 1790000000000 ${from}`,
};

const folder = mkdtempSync(join(tmpdir(), 'trivium-migrations-'));
const postgres = await startPostgres();
try {
  await measure(await openSqlite(join(folder, 'trivium.sqlite'), storeThread), undefined);
  const url = await createDatabase(postgres.url, 'migrations');
  await measure(openPostgres(url), openPostgres(url));
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true });
}

/** `payer` pays while the store is migrated; an embedded store has one process. */
async function measure(database: Database, payer: Database | undefined): Promise<void> {
  const older = migrations.filter(({ version }) => version <= released);
  await migrate(database, new Date(), older);
  for (let from = 0; from < rows; from += rowsPerInsert) await fill(database, from);
  if (payer) await database.run('analyze');
  const payments = payer && pay(payer);
  const lines: string[][] = [];
  const began = performance.now();
  for (const [at, { version }] of migrations.entries()) {
    if (version <= released) continue;
    const start = performance.now();
    await migrate(database, new Date(), migrations.slice(0, at + 1));
    const ms = performance.now() - start;
    if (ms >= slowMs) lines.push([String(version), ms.toFixed(0)]);
  }
  const total = performance.now() - began;
  const longest = await payments?.stop();
  process.stdout.write(`\n## ${database.engine}, ${rows.toLocaleString('en')} rows a table\n\n`);
  process.stdout.write(`${table(['migration', 'ms'], [...lines, ['all', total.toFixed(0)]])}\n`);
  if (longest !== undefined) {
    const { count, ms } = longest;
    process.stdout.write(
      `\n${count} payments during the migration, of which the longest took ${ms.toFixed(0)} ms.\n`,
    );
  }
  await database.close();
  await payer?.close();
}

/** As a gateway of version 0.2.0 commits a charge. */
function pay(database: Database) {
  let [isRunning, count, longest] = [true, 0, 0];
  const run = async () => {
    while (isRunning) {
      const start = performance.now();
      count += 1;
      const id = `paid_${count}`;
      await database.transaction(async (tx) => {
        await tx.run("select id from accounts where id = 'acct' for update");
        await tx.run("update accounts set posted = posted - 1 where id = 'acct'");
        await tx.run(insertions.transfers(`'${id}'`, ''));
        await tx.run(insertions.requests(`'${id}'`, ''));
        await tx.run(insertions.idempotency(`'${id}'`, ''));
      });
      longest = Math.max(longest, performance.now() - start);
    }
  };
  const running = run();
  return {
    stop: async () => {
      isRunning = false;
      await running;
      return { count, ms: longest };
    },
  };
}

async function fill(database: Database, first: number): Promise<void> {
  if (first === 0) {
    await database.run("insert into accounts (id, name, created_at) values ('acct', 'bench', 0)");
  }
  const count = Math.min(rowsPerInsert, rows - first);
  const from = `from (with recursive n (i) as
    (select ${first} union all select i + 1 from n where i < ${first + count - 1})
    select i from n) as numbers`;
  for (const insert of Object.values(insertions)) await database.run(insert("'row_' || i", from));
}
