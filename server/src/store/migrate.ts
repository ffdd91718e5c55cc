// Brings the schema up to date at start, each migration in its own transaction. Several gateways
// may start at once, and gateways of the previous version may be running.
import type { Database, Runner } from './database.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import { systemClock } from '../platform/clock.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/index.ts';

/** Returns how many migrations this call applied, not counting those of another gateway. */
export async function migrate(
  database: Database,
  now: Date,
  steps: readonly Migration[] = migrations,
): Promise<number> {
  await createVersionTable(database);
  const wanted = steps.at(-1)?.version ?? 0;
  // A newer version may have migrated already; this one works on its schema too.
  if ((await versionOf(database)) >= wanted) return 0;
  let applied = 0;
  for (const step of steps) if (await applyWithRetries(database, step, now)) applied += 1;
  return applied;
}

/** Requests queue behind a migration that waits for a lock, so it gives up quickly and retries. */
const lockTimeoutMs = 500;
const maxAttempts = 60;
const pauseMs = 250;

async function applyWithRetries(database: Database, step: Migration, now: Date): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction((tx) => apply(database.engine, tx, step, now));
    } catch (error) {
      if (attempt === maxAttempts || storeTrouble(error) !== 'lost') throw error;
      await systemClock.sleep(pauseMs);
    }
  }
}

async function apply(
  engine: Database['engine'],
  tx: Runner,
  { version, text }: Migration,
  now: Date,
): Promise<boolean> {
  // The row is the lock: a second gateway waits here, and then finds the migration applied.
  await tx.run(`select version from schema_version where id = 1${tx.lock('for update')}`);
  if ((await versionOf(tx)) >= version) return false;
  if (engine === 'postgres') await tx.run(`set local lock_timeout = ${lockTimeoutMs}`);
  for (const statement of statementsOf(text)) await tx.run(statement);
  await tx.run('update schema_version set version = $1, applied_at = $2 where id = 1', [
    version,
    now.getTime(),
  ]);
  return true;
}

/** Two gateways may create the table at the same time; the slower one succeeds on its retry. */
async function createVersionTable(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.run(
        `create table if not exists schema_version
           (id bigint primary key, version bigint not null, applied_at bigint)`,
      );
      await database.run(
        'insert into schema_version (id, version) values (1, 0) on conflict (id) do nothing',
      );
      return;
    } catch (error) {
      if (attempt === maxCreateAttempts) throw error;
    }
  }
}

const maxCreateAttempts = 5;

async function versionOf(runner: Runner): Promise<number> {
  const [row] = await runner.run<{ version: unknown }>(
    'select version from schema_version where id = 1',
  );
  return Number(row?.version ?? 0);
}

export function statementsOf(text: string): string[] {
  return text
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
