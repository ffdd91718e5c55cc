// The embedded database: SQLite on one connection, in a thread of its own, behind a gate.
import type { Database, Row, Runner, Task, Value } from './database.ts';
import type { FailedPiece } from './deferred.ts';
import { keepStorePrivate } from './private-file.ts';
import { startSqlite } from './sqlite-client.ts';
import type { SqliteClient } from './sqlite-client.ts';

/** `onFailed` is told of deferred work that cannot be performed. */
export async function openSqlite(
  file: string,
  onFailed?: (failed: FailedPiece) => void,
): Promise<Database> {
  keepStorePrivate(file);
  return makeDatabase(await startSqlite(file, false, onFailed));
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
    // One connection: a statement beside an open transaction would join it, so it waits.
    run: (text, values) => gate.pass(() => inside.run(text, values)),
    transaction: (work) => gate.shut(() => inTransaction(inside, work)),
    perform: <I, O>({ name }: Task<I, O>, input: I, lasting: boolean) =>
      gate.pass(() => sqlite.perform(name, input, lasting) as Promise<O>),
    defer: ({ name }, input) => gate.pass(() => sqlite.defer(name, input)),
    resume: () => gate.pass(() => sqlite.resume()),
    close: () => gate.shut(() => sqlite.close()),
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

type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * What is one message passes at once, as the thread takes messages in their order; while somebody
 * has shut the gate for several, all others wait.
 */
function makeGate(): { pass: Turn; shut: Turn } {
  let shut: Promise<unknown> | undefined;
  const pass: Turn = (work) => (shut ? shut.then(work) : work());
  return {
    pass,
    shut: (work) => {
      const turn = pass(work);
      const over = turn
        .catch(() => undefined)
        .then(() => {
          if (shut === over) shut = undefined;
        });
      shut = over;
      return turn;
    },
  };
}
