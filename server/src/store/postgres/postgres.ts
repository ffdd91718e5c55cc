// PostgreSQL: connections to the server that takes writes. Parameters are set in each
// transaction instead of when connecting, because a connection pooler would refuse them there.
import { tryLater } from '@trivium/contract';
import type { SQL } from 'bun';
import { systemClock } from '../../platform/clock.ts';
import { makeConcurrencyLimiter, runLimited } from '../../platform/concurrency-limiter.ts';
import {
  addressesIn,
  databaseIn,
  isUnprepared,
  nameOfDatabase,
  withoutPrepare,
} from '../../settings/index.ts';
import { every } from '../../platform/every.ts';
import type { Log } from '../../platform/log.ts';
import { machine } from '../../platform/machine.ts';
import { noteUncommitted, storeTrouble } from '../../platform/store-trouble.ts';
import type { Database, Runner, Value } from '../database.ts';
import { type ServerProbe, type ServerState, watchPrimary } from './primary-watch.ts';
import { makeReadQueue, readTooSlow } from '../read-queue.ts';

const connections = 16;
/** Few tasks run at a time, because the ledger commits one batch after the other. */
const taskConnections = 4;
/** Reports and lists have their own pool, so that they cannot take the connections of payments. */
const readerConnections = 2;
/** For everything else. */
const plainConnections = connections - taskConnections - readerConnections;
const maxStatements = 10_000;
const maxWaitMs = 30_000;
const connectTimeoutS = 5;
const askTimeoutS = 4;

/** A gateway whose machine died must not keep rows locked for the others. */
const transactionSettings = { idle_in_transaction_session_timeout: '10s' };
/**
 * Tasks look rows up by id. To the planner, tables whose rows are constantly inserted and deleted
 * look small enough for a sequential scan, which would also read every dead row. A generic plan
 * avoids planning each statement again.
 */
const taskSettings = {
  ...transactionSettings,
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
};

/** A report that takes longer is aborted. One processor per report is enough. */
const readerSettings = {
  ...transactionSettings,
  transaction_read_only: 'on',
  statement_timeout: '10s',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

interface Pools {
  plain: readonly Connection[];
  tasks: readonly Connection[];
  readers: SQL;
}

/**
 * A pool of its own, with one statement or transaction at a time: Bun would send others of a common
 * pool behind it, where they wait while other connections are idle.
 */
interface Connection {
  sql: SQL;
  isBusy: boolean;
}

/** Connects to the newest primary among the servers in the URL, and follows promotions. */
export async function connectPostgres(url: string, log?: Log): Promise<Database> {
  const { database, watch, poolsInUse } = makePostgres(url, true, log);
  try {
    await watch.start();
    if (!isUnprepared(url)) await checkConnections(poolsInUse().plain);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Statements stay prepared only if each of our connections has its own server connection. */
async function checkConnections(plain: readonly Connection[]): Promise<void> {
  const connected = await Promise.all(plain.slice(0, 2).map(({ sql }) => sql.reserve()));
  try {
    const [one, other] = await Promise.all(connected.map(processOf));
    if (one === other) throw new Error('two connections share one prepared statement space');
  } finally {
    await Promise.all(connected.map((sql) => sql.release()));
  }
}

async function processOf(sql: SQL): Promise<unknown> {
  const [row] = (await sql.unsafe('select pg_backend_pid() as id')) as { id: unknown }[];
  return row?.id;
}

/** Uses the first server, without watching any. */
export function openPostgres(url: string): Database {
  return makePostgres(url, false).database;
}

function makePostgres(url: string, isWatched: boolean, log?: Log) {
  const addresses = addressesIn(url);
  let pools = openPools(addresses[0] ?? url);
  const watch = watchPrimary({
    addresses,
    openProbe: makeServerProbe,
    ticks: systemClock.ticks,
    sleep: systemClock.sleep,
    repeat: (work, everyMs) => every(everyMs, { name: 'primary_watch', work }).stop,
    moveTo: (address) => {
      const left = pools;
      pools = openPools(address);
      // Statements that wait for an answer there fail at once, with an unknown outcome.
      void closePools(left, 0).catch(() => undefined);
      const server = nameOfDatabase(address);
      log?.warn({ server }, 'the database did not answer, or moved: new connections were opened');
    },
  });
  /** An answer counts only if it comes from a server that is known to be the newest primary. */
  const watched = async <T>(work: (on: Pools) => Promise<T>): Promise<T> => {
    const asked = pools;
    try {
      const result = await work(asked);
      if (!isWatched) return result;
      if (!watch.isConfirmed()) await watch.confirm();
      if (asked !== pools || !watch.isConfirmed()) throw new LeftServerError();
      return result;
    } catch (error) {
      if (storeTrouble(error) === 'lost') watch.hurry();
      throw error;
    }
  };
  const read = <T>(text: string, values: readonly Value[]) =>
    watched(({ readers }) =>
      transact(readers, readerSettings, (tx) => tx.run<T>(text, values)).catch(asTooSlow),
    );
  const turns = (name: string, among: 'plain' | 'tasks', maxRunning: number) => {
    const limits = { name, maxRunning, maxOfOne: maxRunning, maxWaiting: maxStatements, maxWaitMs };
    const limiter = makeConcurrencyLimiter(limits, systemClock);
    return <T>(work: (sql: SQL) => Promise<T>) =>
      runLimited(limiter, '', storeBusy, () => watched((on) => onFirstIdle(on[among], work)));
  };
  const inTurn = turns('store_statements', 'plain', plainConnections);
  const asTask = turns('store_tasks', 'tasks', taskConnections);
  const database: Database = {
    engine: 'postgres',
    reader: { run: makeReadQueue(readerConnections, read), lock },
    run: (text, values) => inTurn((sql) => makeRunner(sql).run(text, values)),
    lock,
    transaction: (work) => inTurn((sql) => transact(sql, transactionSettings, work)),
    // The server may restart while the gateway runs, so every commit is durable here.
    perform: ({ work }, input) =>
      asTask((sql) => transact(sql, taskSettings, (tx) => work(tx, input))),
    close: async () => {
      watch.stop();
      await closePools(pools, connectTimeoutS);
    },
  };
  return { database, watch, poolsInUse: () => pools };
}

/** The server may have committed, but it is no longer the primary. */
class LeftServerError extends Error {
  readonly code = 'ERR_POSTGRES_SERVER_LEFT';
  constructor() {
    super('the answer came from a server that is not known to be the primary');
  }
}

/**
 * As few connections as possible do all the work: their sessions have prepared the statements, and
 * what they read is in the caches of the processor.
 */
async function onFirstIdle<T>(
  connections: readonly Connection[],
  work: (sql: SQL) => Promise<T>,
): Promise<T> {
  const idle = connections.find(({ isBusy }) => !isBusy);
  if (!idle) throw new Error('more statements run than there are connections');
  idle.isBusy = true;
  try {
    return await work(idle.sql);
  } finally {
    idle.isBusy = false;
  }
}

function openPools(address: string): Pools {
  const open = (length: number) =>
    Array.from({ length }, (): Connection => ({ sql: openPool(address, 1), isBusy: false }));
  return {
    plain: open(plainConnections),
    tasks: open(taskConnections),
    readers: openPool(address, readerConnections),
  };
}

function openPool(address: string, max: number, connectionTimeout = connectTimeoutS): SQL {
  return machine.openSql({
    url: withoutPrepare(address),
    database: databaseIn(address),
    max,
    connectionTimeout,
    prepare: !isUnprepared(address),
  });
}

async function closePools({ plain, tasks, readers }: Pools, timeout: number): Promise<void> {
  const pools = [...[...plain, ...tasks].map(({ sql }) => sql), readers];
  await Promise.all(pools.map((pool) => pool.close({ timeout })));
}

async function transact<T>(
  sql: SQL,
  settings: Readonly<Record<string, string>>,
  work: (tx: Runner) => Promise<T>,
): Promise<T> {
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value}', true)`,
  );
  const text = `select ${calls.join(', ')}`;
  let isReady = false;
  try {
    return await sql.begin(async (tx) => {
      // Sent first on the same connection. Its answer is awaited together with the first answer of
      // the work.
      const set = tx.unsafe(text).execute();
      const [, result] = await Promise.all([set, work(makeRunner(tx))]);
      isReady = true;
      return result;
    });
  } catch (error) {
    if (!isReady) noteUncommitted(error);
    throw error;
  }
}

function storeBusy(): Error {
  const message = 'Too many statements wait for the database at the moment. Try again shortly.';
  const error = tryLater('provider_not_available', message, 5);
  noteUncommitted(error);
  return error;
}

const queryCanceled = '57014';

/** The statement exceeded the time limit for readers. The server itself works. */
function asTooSlow(error: unknown): never {
  throw (error as { errno?: unknown }).errno === queryCanceled ? readTooSlow(error) : error;
}

function makeRunner(on: SQL): Runner {
  // A query of Bun would otherwise start only when it is awaited, behind those called after it.
  return { run: (text, values = []) => on.unsafe(text, [...values]).execute(), lock };
}

function lock(words: string): string {
  return ` ${words}`;
}

/** An address can lead to another server, which only a new connection reveals. */
const probeReusedMs = 10_000;

const wholeState = `select pg_is_in_recovery() as standby,
    (select system_identifier from pg_control_system()) as system,
    case when pg_is_in_recovery() then null
      else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`;
/** For a server that does not show the rest to this user. */
const leastState = 'select pg_is_in_recovery() as standby';

/**
 * Asks a server, on a separate connection, whether it is a standby or a primary, and for its
 * timeline. Every promotion begins a timeline with a higher number, so a primary that missed a
 * promotion is recognised by its lower number.
 */
function makeServerProbe(address: string): ServerProbe {
  let opened: { sql: SQL; since: number } | undefined;
  let opening: SQL | undefined;
  const drop = (sql: SQL | undefined) => void sql?.close({ timeout: 0 }).catch(() => undefined);
  const askAnew = async () => {
    const sql = (opening = openPool(address, 1, askTimeoutS));
    try {
      const state = await readState(sql);
      if (opening !== sql) throw new Error('the question was abandoned');
      drop(opened?.sql);
      opened = { sql, since: machine.ticks() };
      return state;
    } catch (error) {
      drop(sql);
      throw error;
    } finally {
      if (opening === sql) opening = undefined;
    }
  };
  const askOpened = (old: SQL) =>
    readState(old).catch((error: unknown) => {
      if (opened?.sql === old) opened = undefined;
      drop(old);
      throw error;
    });
  return {
    ask: () => {
      const old = opened;
      if (!old) return askAnew();
      const isOld = machine.ticks() - old.since > probeReusedMs;
      return isOld ? askAnew().catch(() => askOpened(old.sql)) : askOpened(old.sql).catch(askAnew);
    },
    abandon: () => {
      drop(opening);
      drop(opened?.sql);
      [opening, opened] = [undefined, undefined];
    },
  };
}

async function readState(sql: SQL): Promise<ServerState> {
  const rows = await sql.unsafe(wholeState).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'ERR_POSTGRES_SERVER_ERROR') throw error;
    return sql.unsafe(leastState);
  });
  const [row] = rows as { standby: boolean; system?: unknown; timeline?: string | null }[];
  return {
    isStandby: row?.standby !== false,
    system: String(row?.system ?? ''),
    timeline: Number.parseInt(row?.timeline ?? '0', 16),
  };
}
