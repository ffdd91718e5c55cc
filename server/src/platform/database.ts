// The database: SQLite or PostgreSQL behind one gate, so that one SQL text serves both.
import { SQL } from 'bun';
import { startSqlite } from './sqlite-client.ts';
import type { SqliteClient } from './sqlite-client.ts';

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

export interface Database extends Runner {
  engine: 'sqlite' | 'postgres';
  transaction: <T>(work: (tx: Runner) => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}

const postgres_connections = 16;
const connect_timeout_s = 5;
const vanished_after_ms = 10_000;

export async function openSqlite(file: string): Promise<Database> {
  return makeSqlite(await startSqlite(file, false));
}

/** Beside a running gateway: takes no lock and writes nothing. */
export async function openSqliteToRead(file: string): Promise<Database> {
  return makeSqlite(await startSqlite(file, true));
}

function makeSqlite(sqlite: SqliteClient): Database {
  const lock = () => '';
  const gate = makeGate();
  const inside: Runner = {
    run: <T>(text: string, values: readonly Value[] = []) =>
      sqlite.run(text, values) as Promise<T[]>,
    lock,
  };
  return {
    engine: 'sqlite',
    lock,
    // One connection: a statement beside an open transaction would join it, so each waits its turn.
    run: (text, values) => gate(() => inside.run(text, values)),
    transaction: (work) => gate(() => inTransaction(inside, work)),
    close: () => gate(() => sqlite.close()),
  };
}

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
    close: () => sql.close({ timeout: connect_timeout_s }),
  };
}

async function inTransaction<T>(runner: Runner, work: (tx: Runner) => Promise<T>): Promise<T> {
  await runner.run('begin immediate');
  try {
    const result = await work(runner);
    await runner.run('commit');
    return result;
  } catch (error) {
    // A commit that failed for want of space has rolled back already.
    await runner.run('rollback').catch(() => undefined);
    throw error;
  }
}

/** Lets one piece of work through at a time, in order of arrival. */
function makeGate(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
