// The database interface that both engines implement, so that one SQL text serves both, and its
// PostgreSQL implementation.
import { SQL } from 'bun';
import { databaseIn } from '../platform/database-url.ts';

export type Value = string | number | boolean | null;
export type Row = Record<string, unknown>;

/** Runs statements. `$1, $2 …` stand for values on both engines. */
export interface Runner {
  run: <T = Row>(text: string, values?: readonly Value[]) => Promise<T[]>;
  /** ` for update` where the engine has row locks, else empty. Nothing else differs in dialect. */
  lock: (words: string) => string;
}

/** A transaction whose input and output are plain data, so that another thread can run it. */
export interface Task<I, O> {
  name: string;
  work: (tx: Runner, input: I) => Promise<O>;
  /** Merges many inputs into one; a task without it cannot be deferred. */
  join?: (inputs: readonly I[]) => unknown;
}

export interface Database extends Runner {
  engine: 'sqlite' | 'postgres';
  transaction: <T>(work: (tx: Runner) => Promise<T>) => Promise<T>;
  /**
   * A commit that is not `durable` survives the death of this process. A power failure may lose it,
   * unless a later durable commit has synced the disk.
   */
  perform: <I, O>(task: Task<I, O>, input: I, durable: boolean) => Promise<O>;
  /**
   * SQLite only: resolves when the task is journaled and synced. It runs shortly after, and before
   * any later statement.
   */
  defer?: <I, O>(task: Task<I, O>, input: I) => Promise<void>;
  /** Runs the tasks that an earlier process deferred. Call it once the schema is up to date. */
  resume?: () => Promise<void>;
  close: () => Promise<void>;
}

const postgresConnections = 16;
/** Few tasks run at a time: the ledger commits one batch after the other. */
const taskConnections = 4;
/**
 * Tasks look rows up by id. To the planner, tables whose rows are inserted and deleted all the time
 * look small enough for a sequential scan, which would also read every dead row. A generic plan
 * saves planning each statement again.
 */
const taskPlanning = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' };
const connectTimeoutS = 5;
const idleTransactionTimeoutMs = 10_000;

export function openPostgres(url: string): Database {
  const open = (max: number, planning: Record<string, string>) =>
    new SQL({
      url,
      database: databaseIn(url),
      max,
      connectionTimeout: connectTimeoutS,
      // A gateway whose machine died must not keep rows locked for the others.
      connection: { idle_in_transaction_session_timeout: idleTransactionTimeoutMs, ...planning },
    });
  const sql = open(postgresConnections - taskConnections, {});
  const tasks = open(taskConnections, taskPlanning);
  const lock = (words: string) => ` ${words}`;
  const runner = (on: SQL): Runner => ({
    run: (text, values = []) => on.unsafe(text, [...values]),
    lock,
  });
  return {
    engine: 'postgres',
    ...runner(sql),
    transaction: (work) => sql.begin((tx) => work(runner(tx))),
    // The server may restart while the gateway runs, so every commit is durable here.
    perform: ({ work }, input) => tasks.begin((tx) => work(runner(tx), input)),
    close: async () => {
      await Promise.all([sql, tasks].map((pool) => pool.close({ timeout: connectTimeoutS })));
    },
  };
}
