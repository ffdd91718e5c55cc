// The database: SQLite or PostgreSQL behind one gate, so that one SQL text serves both.
import { SQL } from 'bun';
import { Database as Sqlite } from 'bun:sqlite';

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
const busy_timeout_ms = 5000;

export async function openSqlite(file: string): Promise<Database> {
  const sqlite = new Sqlite(file, { create: true });
  sqlite.run('pragma journal_mode = wal');
  sqlite.run('pragma synchronous = full');
  sqlite.run('pragma foreign_keys = on');
  return makeSqlite(sqlite);
}

/** Beside a running gateway: takes no lock and writes nothing. */
export async function openSqliteToRead(file: string): Promise<Database> {
  return makeSqlite(new Sqlite(file, { readonly: true }));
}

function makeSqlite(sqlite: Sqlite): Database {
  sqlite.run(`pragma busy_timeout = ${busy_timeout_ms}`);
  const lock = () => '';
  const gate = makeGate();
  const inside: Runner = {
    // The statement is remembered by its text; few lengths of lists make few of them.
    run: async <T>(text: string, values: readonly Value[] = []) =>
      sqlite.query<T, Value[]>(numbered(text)).all(...values),
    lock,
  };
  return {
    engine: 'sqlite',
    lock,
    // One connection: a statement beside an open transaction would join it, so each waits its turn.
    run: (text, values) => gate(() => inside.run(text, values)),
    transaction: (work) => gate(() => inTransaction(inside, work)),
    close: () => gate(async () => sqlite.close()),
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

/** To SQLite `$2` is a name, counted as it appears; `?2` is the second value wherever it stands. */
function numbered(text: string): string {
  return text.replaceAll(/\$(?=\d)/g, '?');
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
