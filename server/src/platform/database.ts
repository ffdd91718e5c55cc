// The database: what both engines offer, so that one SQL text serves both, and PostgreSQL's side.
import { SQL } from 'bun';

export type Value = string | number | boolean | null;
export type Row = Record<string, unknown>;

/** Runs statements. `$1, $2 …` stand for values on both engines. */
export interface Runner {
  run: <T = Row>(text: string, values?: readonly Value[]) => Promise<T[]>;
  /**
   * ` for update` and its kin where the engine has row locks, else nothing: the only dialect word.
   */
  lock: (words: string) => string;
}

/** A transaction with data in and data out, so that it can be performed where the rows are. */
export interface Task<I, O> {
  name: string;
  work: (tx: Runner, input: I) => Promise<O>;
  /** Many inputs as one input, where the task may be put off. */
  join?: (inputs: readonly I[]) => unknown;
}

export interface Database extends Runner {
  engine: 'sqlite' | 'postgres';
  transaction: <T>(work: (tx: Runner) => Promise<T>) => Promise<T>;
  /**
   * One that need not be `lasting` may be lost with the machine, but never with this process, and
   * never after a later one that lasts.
   */
  perform: <I, O>(task: Task<I, O>, input: I, lasting: boolean) => Promise<O>;
  /**
   * Only where the store is this process's own: resolves when the task is written down and synced.
   * It is performed soon, and before anything that is asked later.
   */
  defer?: <I, O>(task: Task<I, O>, input: I) => Promise<void>;
  /** Performs what an earlier process put off; asked once the schema is up to date. */
  resume?: () => Promise<void>;
  close: () => Promise<void>;
}

const postgres_connections = 16;
/** For tasks, of which few run at a time: the ledger's come one after the other. */
const task_connections = 4;
/**
 * A task looks rows up by their ids. Tables that are filled and emptied all the time look small to
 * the planner, which would read them whole, dead rows and all; nor need it think anew each time.
 */
const task_planning = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' };
const connect_timeout_s = 5;
const vanished_after_ms = 10_000;

export function openPostgres(url: string): Database {
  const open = (max: number, planning: Record<string, string>) =>
    new SQL({
      url,
      max,
      connectionTimeout: connect_timeout_s,
      // A gateway that vanished with its machine must not keep rows locked for the others.
      connection: { idle_in_transaction_session_timeout: vanished_after_ms, ...planning },
    });
  const sql = open(postgres_connections - task_connections, {});
  const tasks = open(task_connections, task_planning);
  const lock = (words: string) => ` ${words}`;
  const runner = (on: SQL): Runner => ({
    run: (text, values = []) => on.unsafe(text, [...values]),
    lock,
  });
  return {
    engine: 'postgres',
    ...runner(sql),
    transaction: (work) => sql.begin((tx) => work(runner(tx))),
    // The server may restart while we live on, so here every commit lasts.
    perform: ({ work }, input) => tasks.begin((tx) => work(runner(tx), input)),
    close: async () => {
      await Promise.all([sql, tasks].map((pool) => pool.close({ timeout: connect_timeout_s })));
    },
  };
}
