// Brings the schema up to date at start: only what is missing, one transaction, safe when several
// gateways start at once.
import type { Database, Runner } from '../platform/database.ts';
import { migrations } from './migrations/index.ts';

/** How many were applied. */
export async function migrate(database: Database, now: Date): Promise<number> {
  await makeLockTable(database);
  const current = migrations.at(-1)?.version ?? 0;
  if ((await versionOf(database)) >= current) return 0;
  return database.transaction(async (tx) => {
    await tx.run(`select version from schema_version where id = 1${tx.lock('for update')}`);
    const version = await versionOf(tx);
    const missing = migrations.filter((migration) => migration.version > version);
    for (const migration of missing) {
      for (const statement of statementsOf(migration.text)) await tx.run(statement);
      await tx.run('update schema_version set version = $1, applied_at = $2 where id = 1', [
        migration.version,
        now.getTime(),
      ]);
    }
    return missing.length;
  });
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

function statementsOf(text: string): string[] {
  return text
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
