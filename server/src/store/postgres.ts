// PostgreSQL: two pools of connections to the server that takes writes. Parameters are set in each
// transaction and not at the start of a connection, where a pooler would refuse them.
import { SQL } from 'bun';
import { systemClock } from '../platform/clock.ts';
import { addressesIn, databaseIn, isUnprepared, withoutPrepare } from '../platform/database-url.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import type { Database, Runner } from './database.ts';

const connections = 16;
/** Few tasks run at a time: the ledger commits one batch after the other. */
const taskConnections = 4;
const connectTimeoutS = 5;
const probeTimeoutS = 2;
const searchPauseMs = 200;

/** A gateway whose machine died must not keep rows locked for the others. */
const transactionSettings = { idle_in_transaction_session_timeout: '10s' };
/**
 * Tasks look rows up by id. To the planner, tables whose rows are inserted and deleted all the time
 * look small enough for a sequential scan, which would also read every dead row. A generic plan
 * saves planning each statement again.
 */
const taskSettings = {
  ...transactionSettings,
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
};

interface Connected {
  database: Database;
  /** Looks for the server that takes writes. */
  search: () => Promise<void>;
  poolsInUse: () => Pools;
}

interface Pools {
  address: string;
  sql: SQL;
  tasks: SQL;
}

/** Connects to the server that takes writes, if the URL names several. */
export async function connectPostgres(url: string): Promise<Database> {
  const { database, search, poolsInUse } = makePostgres(url);
  if (addressesIn(url).length > 1) await search();
  if (!isUnprepared(url)) await checkConnections(poolsInUse().sql);
  return database;
}

/** Statements stay prepared only if each of our connections is one of the server's. */
async function checkConnections(sql: SQL): Promise<void> {
  const [one, other] = [await sql.reserve(), await sql.reserve()];
  try {
    const ids = [await processOf(one), await processOf(other)];
    if (ids[0] === ids[1]) throw new Error('two connections share one prepared statement space');
  } finally {
    await Promise.all([one.release(), other.release()]);
  }
}

async function processOf(sql: SQL): Promise<unknown> {
  const [row] = (await sql.unsafe('select pg_backend_pid() as id')) as { id: unknown }[];
  return row?.id;
}

/** Uses the first server until it is lost. */
export function openPostgres(url: string): Database {
  return makePostgres(url).database;
}

function makePostgres(url: string): Connected {
  const addresses = addressesIn(url);
  let pools = openPools(addresses[0] ?? url);
  let searching: Promise<void> | undefined;
  const replace = async () => {
    const found = await findWritable([pools.address, ...addresses]);
    if (found !== undefined && found !== pools.address) {
      const lost = pools;
      pools = openPools(found);
      await closePools(lost, 0);
    }
    await systemClock.sleep(searchPauseMs);
  };
  const search = () => {
    searching ??= replace().finally(() => (searching = undefined));
    return searching;
  };
  /** After a loss, the next attempt may find another server. */
  const watched = <T>(statement: Promise<T>): Promise<T> => {
    if (addresses.length === 1) return statement;
    return statement.catch((error: unknown) => {
      if (storeTrouble(error) === 'lost') void search().catch(() => undefined);
      throw error;
    });
  };
  const database: Database = {
    engine: 'postgres',
    run: (text, values) => watched(makeRunner(pools.sql).run(text, values)),
    lock,
    transaction: (work) => watched(transact(pools.sql, transactionSettings, work)),
    // The server may restart while the gateway runs, so every commit is durable here.
    perform: ({ work }, input) =>
      watched(transact(pools.tasks, taskSettings, (tx) => work(tx, input))),
    close: async () => {
      await searching;
      await closePools(pools, connectTimeoutS);
    },
  };
  return { database, search, poolsInUse: () => pools };
}

function openPools(address: string): Pools {
  const open = (max: number) =>
    new SQL({
      url: withoutPrepare(address),
      database: databaseIn(address),
      max,
      connectionTimeout: connectTimeoutS,
      prepare: !isUnprepared(address),
    });
  return { address, sql: open(connections - taskConnections), tasks: open(taskConnections) };
}

async function closePools({ sql, tasks }: Pools, timeout: number): Promise<void> {
  await Promise.all([sql.close({ timeout }), tasks.close({ timeout })]);
}

function transact<T>(
  sql: SQL,
  settings: Readonly<Record<string, string>>,
  work: (tx: Runner) => Promise<T>,
): Promise<T> {
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value}', true)`,
  );
  const text = `select ${calls.join(', ')}`;
  return sql.begin(async (tx) => {
    // Sent first on the same connection; its answer is awaited with the first one of the work.
    const set = tx.unsafe(text).execute();
    const [, result] = await Promise.all([set, work(makeRunner(tx))]);
    return result;
  });
}

function makeRunner(on: SQL): Runner {
  return { run: (text, values = []) => on.unsafe(text, [...values]), lock };
}

function lock(words: string): string {
  return ` ${words}`;
}

/** The first of these servers that is not a standby; undefined when none answers. */
async function findWritable(addresses: readonly string[]): Promise<string | undefined> {
  for (const address of new Set(addresses)) {
    const probe = new SQL({
      url: withoutPrepare(address),
      database: databaseIn(address),
      max: 1,
      connectionTimeout: probeTimeoutS,
    });
    try {
      const [row] = (await probe.unsafe('select pg_is_in_recovery() as standby')) as {
        standby: boolean;
      }[];
      if (row?.standby === false) return address;
    } catch {
      // The next one may answer.
    } finally {
      await probe.close({ timeout: 0 }).catch(() => undefined);
    }
  }
  return undefined;
}
