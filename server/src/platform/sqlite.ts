// The embedded database: SQLite on one connection, in a thread of its own, behind a gate.
import type { Database, Row, Runner, Task, Value } from './database.ts';
import { startSqlite } from './sqlite-client.ts';
import type { SqliteClient } from './sqlite-client.ts';

export async function openSqlite(file: string): Promise<Database> {
  return makeDatabase(await startSqlite(file, false));
}

/** Beside a running gateway: takes no lock and writes nothing. */
export async function openSqliteToRead(file: string): Promise<Database> {
  return makeDatabase(await startSqlite(file, true));
}

function makeDatabase(sqlite: SqliteClient): Database {
  const lock = () => '';
  const gate = makeGate();
  const inside: Runner = {
    run: <T = Row>(text: string, values: readonly Value[] = []) =>
      sqlite.run(text, values) as Promise<T[]>,
    lock,
  };
  return {
    engine: 'sqlite',
    lock,
    // One connection: a statement beside an open transaction would join it, so each waits its turn.
    run: (text, values) => gate(() => inside.run(text, values)),
    transaction: (work) => gate(() => inTransaction(inside, work)),
    perform: <I, O>({ name }: Task<I, O>, input: I, lasting: boolean) =>
      gate(() => sqlite.perform(name, input, lasting) as Promise<O>),
    defer: ({ name }, input) => gate(() => sqlite.defer(name, input)),
    resume: () => gate(() => sqlite.resume()),
    close: () => gate(() => sqlite.close()),
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
