// Brings the schema up to date at start: only what is missing, each step in a transaction of its
// own. Several gateways may start at once, and older ones may be at work meanwhile.
import type { Database, Runner } from '../platform/database.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import { system_clock } from '../platform/clock.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/index.ts';

/** How many were applied, by us and not by a gateway that started at the same time. */
export async function migrate(
  database: Database,
  now: Date,
  steps: readonly Migration[] = migrations,
): Promise<number> {
  await makeLockTable(database);
  const wanted = steps.at(-1)?.version ?? 0;
  // A newer version has been here: what it added is no hindrance.
  if ((await versionOf(database)) >= wanted) return 0;
  let applied = 0;
  for (const step of steps) if (await applyPatiently(database, step, now)) applied += 1;
  return applied;
}

/** Requests queue behind whoever waits for a table, so we let them pass and try again. */
const table_wait_ms = 500;
const most_attempts = 60;
const pause_ms = 250;

async function applyPatiently(database: Database, step: Migration, now: Date): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transaction((tx) => apply(database.engine, tx, step, now));
    } catch (error) {
      if (attempt === most_attempts || storeTrouble(error) !== 'lost') throw error;
      await system_clock.sleep(pause_ms);
    }
  }
}

async function apply(
  engine: Database['engine'],
  tx: Runner,
  { version, text }: Migration,
  now: Date,
): Promise<boolean> {
  // The one row is the lock: whoever comes second waits here, and finds the step done.
  await tx.run(`select version from schema_version where id = 1${tx.lock('for update')}`);
  if ((await versionOf(tx)) >= version) return false;
  if (engine === 'postgres') await tx.run(`set local lock_timeout = ${table_wait_ms}`);
  for (const statement of statementsOf(text)) await tx.run(statement);
  await tx.run('update schema_version set version = $1, applied_at = $2 where id = 1', [
    version,
    now.getTime(),
  ]);
  return true;
}

/**
 * Two gateways may create the table at the same instant; the slower one finds it there on its next
 * try.
 */
async function makeLockTable(database: Database): Promise<void> {
  for (let tries = 1; ; tries += 1) {
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
      if (tries === max_tries) throw error;
    }
  }
}

const max_tries = 5;

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
