// Brings the schema up to date at start. An embedded store applies one migration after the other.
// PostgreSQL applies short parts, because several gateways may start at once while older ones take
// payments.
import { hourMs } from '@trivium/contract/durations';
import { version as appVersion } from '@trivium/contract/version';
import type { Database, Runner } from '../database.ts';
import { storeTrouble } from '../../platform/store-trouble.ts';
import { systemClock } from '../../platform/clock.ts';
import { StartError } from '../../platform/start-error.ts';
import { facts } from '../facts.ts';
import { query } from '../table.ts';
import { type MigrationPart, partsOf, statementsOf } from './migration-steps.ts';
import { listPartitions } from '../postgres/partitions.ts';
import { type Migration, migrations } from './index.ts';

/** The schema of version 0.2.0. Tests run that version beside this one, and after it. */
const oldestSchema = 41;
/** The fact that names the oldest schema whose gateways may open the store. */
const oldestFact = 'oldest_schema';

/** Migrates a store that this version may open. `name` is for the error if it may not. */
export async function openSchema(database: Database, now: Date, name: string): Promise<void> {
  const own = migrations.at(-1)?.version ?? 0;
  await createVersionTable(database);
  const version = await versionOf(database);
  if (version > 0 && version < oldestSchema) {
    throw new StartError(
      `${name} was written by a version before 0.2.0, which this version cannot upgrade. ` +
        'Take a backup, run Trivium 0.2.0 on it for a day, then start this version.',
    );
  }
  if (version > own) {
    // The newer version names it before it migrates.
    const oldest = Number((await facts.find(database, oldestFact)) ?? Infinity);
    if (own >= oldest) return;
    throw new StartError(
      `${name} was written by a newer version of Trivium (schema ${version}), and this one ` +
        `(${appVersion}, schema ${own}) may not open it. Start the newer version, or restore the ` +
        'backup from before the upgrade.',
    );
  }
  if (version > 0) await facts.put(database, oldestFact, String(oldestSchema));
  await migrate(database, now);
  if (version === 0) await facts.put(database, oldestFact, String(oldestSchema));
}

/** Returns how many migrations this call applied, not counting those applied by another gateway. */
export async function migrate(
  database: Database,
  now: Date,
  steps: readonly Migration[] = migrations,
): Promise<number> {
  await createVersionTable(database);
  if ((await versionOf(database)) === 0 && (await createSchema(database, now, steps))) {
    return steps.length;
  }
  const version = await versionOf(database);
  let applied = 0;
  // A newer version may already have migrated the store. This version works with its schema, too.
  for (const step of steps.filter((one) => one.version > version)) {
    // An embedded store has one process, so nothing waits for its locks.
    const parts: MigrationPart[] =
      database.engine === 'postgres'
        ? [...partsOf(step.text), ...(step.postgres?.(now, false) ?? [])]
        : [{ statements: statementsOf(step.text) }];
    for (const [at, part] of parts.entries()) {
      const isLast = at === parts.length - 1;
      if (await applyWithRetries(database, { ...step, part, at, isLast, now })) applied += 1;
    }
  }
  return applied;
}

/** No gateway is using a new store yet. False if another gateway has created it. */
function createSchema(
  database: Database,
  now: Date,
  steps: readonly Migration[],
): Promise<boolean> {
  return database.transaction(async (tx) => {
    await tx.run(`select version from schema_version where id = 1${tx.lock('for update')}`);
    if ((await versionOf(tx)) > 0) return false;
    for (const { text, postgres } of steps) {
      const own = (database.engine === 'postgres' && postgres?.(now, true)) || [];
      for (const part of [{ statements: statementsOf(text) }, ...own]) await runPart(tx, part);
    }
    await setVersion(tx, steps.at(-1)?.version ?? 0, now);
    return true;
  });
}

/**
 * Payments queue behind a migration that waits for a lock, so the migration gives up quickly and
 * retries.
 */
const lockTimeoutMs = 100;
const maxAttempts = 240;
const pauseMs = 250;
/** Another gateway may take long to build an index. If it dies, this one continues. */
const maxWaitMs = hourMs;

/** One part of a migration, and its position. */
interface Part {
  version: number;
  part: MigrationPart;
  at: number;
  isLast: boolean;
  now: Date;
}

/** True if this was the last part of its migration. */
async function applyWithRetries(database: Database, part: Part): Promise<boolean> {
  let attempt = 1;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      const isEnd = await database.transaction((tx) => apply(database, tx, part));
      if (isEnd !== 'busy') return isEnd;
      if (waitedMs > maxWaitMs)
        throw new Error('another gateway has been migrating for more than an hour');
    } catch (error) {
      if (attempt === maxAttempts || storeTrouble(error) !== 'lost') throw error;
      attempt += 1;
    }
    await systemClock.sleep(pauseMs);
  }
}

/** Parts that a dead gateway has already applied are not applied again. */
async function apply(
  database: Database,
  tx: Runner,
  { version, part, at, isLast, now }: Part,
): Promise<boolean | 'busy'> {
  // The row serves as the lock. A second gateway asks again later instead of waiting in a
  // transaction, because building an index waits for all transactions that began before it.
  const locked = await tx.run(
    `select version from schema_version where id = 1${tx.lock('for update skip locked')}`,
  );
  if (locked.length === 0) return 'busy';
  if ((await versionOf(tx)) >= version) return false;
  const counting = 'select applied from schema_parts where version = $1';
  if ((await query.number(tx, counting, [version])) > at) return false;
  if (part.index !== undefined) {
    await tx.run('set local idle_in_transaction_session_timeout = 0');
    await buildIndex(database, part.index);
  } else {
    if (database.engine === 'postgres') await tx.run(`set local lock_timeout = ${lockTimeoutMs}`);
    await runPart(tx, part);
  }
  if (!isLast) {
    await tx.run(
      `insert into schema_parts (version, applied) values ($1, $2)
       on conflict (version) do update set applied = excluded.applied`,
      [version, at + 1],
    );
    return false;
  }
  await tx.run('delete from schema_parts where version = $1', [version]);
  await setVersion(tx, version, now);
  return true;
}

async function runPart(tx: Runner, { statements, onlyIf }: MigrationPart): Promise<void> {
  if (onlyIf !== undefined && !(await query.exists(tx, onlyIf))) return;
  for (const statement of statements) await tx.run(statement);
}

async function setVersion(tx: Runner, version: number, now: Date): Promise<void> {
  await tx.run('update schema_version set version = $1, applied_at = $2 where id = 1', [
    version,
    now.getTime(),
  ]);
}

/**
 * Runs on another connection, because it cannot run in a transaction. An index that a gateway left
 * unfinished exists, but is not used. New partitions are created like the default one, so the
 * default partition gets the index first.
 */
async function buildIndex(
  database: Database,
  { name, table, rest }: NonNullable<MigrationPart['index']>,
): Promise<void> {
  const partitions = (await listPartitions(database, table)).toReversed();
  const built = partitions.map((part) => ({ index: `${part.name}_${name}`, on: part.name }));
  for (const { index, on } of built.length > 0 ? built : [{ index: name, on: table }]) {
    const isUnfinished = await query.exists(
      database,
      'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [index],
    );
    if (isUnfinished) await database.run(`drop index concurrently ${index}`);
    await database.run(`create index concurrently if not exists ${index} on ${on}${rest}`);
  }
}

/** Two gateways may create the table at the same time. The slower one succeeds on its retry. */
async function createVersionTable(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.run(
        `create table if not exists schema_version
           (id bigint primary key, version bigint not null, applied_at bigint)`,
      );
      await database.run(
        'create table if not exists schema_parts (version bigint primary key, applied bigint)',
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

function versionOf(runner: Runner): Promise<number> {
  return query.number(runner, 'select version from schema_version where id = 1');
}
