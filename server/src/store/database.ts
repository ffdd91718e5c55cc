// The database interface. Both engines implement it, so that one SQL text works on both.

export type Value = string | number | boolean | null;
export type Row = Record<string, unknown>;

/** Runs statements. `$1, $2 …` are the placeholders on both engines. */
export interface Runner {
  run: <T = Row>(text: string, values?: readonly Value[]) => Promise<T[]>;
  /**
   * ` for update` if the engine has row locks, otherwise empty. The SQL dialects differ in nothing
   * else.
   */
  lock: (words: string) => string;
}

/** A transaction whose input and output are plain data, so that another thread can run it. */
export interface Task<I, O> {
  name: string;
  work: (tx: Runner, input: I) => Promise<O>;
  /** Merges many inputs into one. A task without it cannot be deferred. */
  join?: (inputs: readonly I[]) => unknown;
}

/** The part of a database that reports and lists need. */
export type ReadableDatabase = Pick<Database, 'reader'>;

export interface Database extends Runner {
  engine: 'sqlite' | 'postgres';
  /**
   * For reports, lists and exports: runs single read-only statements on separate connections, so
   * that a long one does not delay payments. It sees everything that was acknowledged before.
   */
  reader: Runner;
  transaction: <T>(work: (tx: Runner) => Promise<T>) => Promise<T>;
  /**
   * A commit that is not `durable` survives the death of this process. A power failure may lose it,
   * unless a later durable commit has synced the disk.
   */
  perform: <I, O>(task: Task<I, O>, input: I, durable: boolean) => Promise<O>;
  /**
   * SQLite only: resolves when the task is journaled and synced. The task runs shortly after, and
   * before any later statement.
   */
  defer?: <I, O>(task: Task<I, O>, input: I) => Promise<void>;
  /**
   * Runs the tasks that an earlier process deferred, and allows to defer. Call it once the schema is up
   * to date. Fails if some of them are lost, unless that is accepted.
   */
  resume?: (acceptLoss?: (reason: string) => void) => Promise<void>;
  close: () => Promise<void>;
  /** SQLite only: resolves with the reason if its thread ends unexpectedly. */
  died?: Promise<string>;
}

/**
 * The database inside an open transaction: everything that runs on it commits or fails with the
 * transaction.
 */
export function within(database: Database, tx: Runner): Database {
  return { ...database, run: tx.run, lock: tx.lock, transaction: (work) => work(tx) };
}
