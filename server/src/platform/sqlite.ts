// The embedded database: SQLite on one connection, behind a gate, with its statements remembered.
import { Database as Sqlite } from 'bun:sqlite';
import type { Statement } from 'bun:sqlite';
import type { Database, Row, Runner, Value } from './database.ts';

export async function openSqlite(file: string): Promise<Database> {
  const sqlite = new Sqlite(file, { create: true, readwrite: true });
  sqlite.run('pragma busy_timeout = 5000');
  sqlite.run('pragma journal_mode = wal');
  sqlite.run('pragma synchronous = full');
  sqlite.run('pragma foreign_keys = on');
  return makeDatabase(sqlite);
}

/** Beside a running gateway: takes no lock and writes nothing. */
export async function openSqliteToRead(file: string): Promise<Database> {
  const sqlite = new Sqlite(file, { readonly: true });
  sqlite.run('pragma query_only = on');
  sqlite.run('pragma busy_timeout = 5000');
  return makeDatabase(sqlite);
}

function makeDatabase(sqlite: Sqlite): Database {
  const lock = () => '';
  const gate = makeGate();
  const statements = rememberStatements(sqlite);
  const inside: Runner = {
    run: async <T = Row>(text: string, values: readonly Value[] = []) =>
      statements.get(text).all(...values) as T[],
    lock,
  };
  return {
    engine: 'sqlite',
    lock,
    // One connection: a statement beside an open transaction would join it, so each waits its turn.
    run: (text, values) => gate(() => inside.run(text, values)),
    transaction: (work) => gate(() => inTransaction(inside, work)),
    close: () =>
      gate(async () => {
        statements.forget();
        sqlite.close();
      }),
  };
}

/** Few texts are used again and again, and reading one anew costs more than running it. */
const most_statements = 512;

function rememberStatements(sqlite: Sqlite) {
  const remembered = new Map<string, Statement>();
  const forget = () => {
    for (const statement of remembered.values()) statement.finalize();
    remembered.clear();
  };
  return {
    forget,
    get: (text: string): Statement => {
      const known = remembered.get(text);
      if (known) return known;
      if (remembered.size >= most_statements) forget();
      const statement = sqlite.prepare(numbered(text));
      remembered.set(text, statement);
      return statement;
    },
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
