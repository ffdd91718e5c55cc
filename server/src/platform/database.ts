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
}

export interface Database extends Runner {
  engine: 'sqlite' | 'postgres';
  transaction: <T>(work: (tx: Runner) => Promise<T>) => Promise<T>;
  /**
   * One that need not be `lasting` may be lost with the machine, but never with this process, and
   * never after a later one that lasts.
   */
  perform: <I, O>(task: Task<I, O>, input: I, lasting: boolean) => Promise<O>;
  close: () => Promise<void>;
}

const postgres_connections = 16;
const connect_timeout_s = 5;
const vanished_after_ms = 10_000;

export function openPostgres(url: string): Database {
  const sql = new SQL({
    url,
    max: postgres_connections,
    connectionTimeout: connect_timeout_s,
    // A gateway that vanished with its machine must not keep rows locked for the others.
    connection: { idle_in_transaction_session_timeout: vanished_after_ms },
  });
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
    perform: ({ work }, input) => sql.begin((tx) => work(runner(tx), input)),
    close: () => sql.close({ timeout: connect_timeout_s }),
  };
}
