// The SQLite database: one connection, in its own thread, with a lock around transactions.
import type { Database, Row, Runner, Task, Value } from './database.ts';
import type { FailedTask } from './deferred.ts';
import { keepStorePrivate } from '../platform/private-file.ts';
import { startSqlite } from './sqlite-client.ts';
import type { SqliteClient } from './sqlite-client.ts';

/** `onFailed` receives deferred tasks that cannot be run. */
export async function openSqlite(
  file: string,
  onFailed?: (failed: FailedTask) => void,
): Promise<Database> {
  keepStorePrivate(file);
  return makeDatabase(await startSqlite(file, false, onFailed));
}

/** Read-only, also while a gateway runs: takes no lock and writes nothing. */
export async function openSqliteReadOnly(file: string): Promise<Database> {
  return makeDatabase(await startSqlite(file, true));
}

function makeDatabase(sqlite: SqliteClient): Database {
  const lock = () => '';
  const connection = makeConnectionLock();
  const runner: Runner = {
    run: <T = Row>(text: string, values: readonly Value[] = []) =>
      sqlite.run(text, values) as Promise<T[]>,
    lock,
  };
  return {
    engine: 'sqlite',
    lock,
    // One connection: a statement sent during a transaction would become part of it, so it waits.
    run: (text, values) => connection.shared(() => runner.run(text, values)),
    transaction: (work) => connection.exclusive(() => inTransaction(runner, work)),
    perform: <I, O>({ name }: Task<I, O>, input: I, durable: boolean) =>
      connection.shared(() => sqlite.perform(name, input, durable) as Promise<O>),
    defer: ({ name }, input) => connection.shared(() => sqlite.defer(name, input)),
    resume: () => connection.shared(() => sqlite.resume()),
    close: () => connection.exclusive(() => sqlite.close()),
    died: sqlite.died,
  };
}

async function inTransaction<T>(runner: Runner, work: (tx: Runner) => Promise<T>): Promise<T> {
  await runner.run('begin immediate');
  try {
    const result = await work(runner);
    await runner.run('commit');
    return result;
  } catch (error) {
    // A commit that failed because the disk is full has already rolled back.
    await runner.run('rollback').catch(() => undefined);
    throw error;
  }
}

type Locked = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * `shared` is for work that is one message: it is sent at once, because the thread handles messages
 * in order. `exclusive` is for work of several messages: all other work waits until it ends.
 */
function makeConnectionLock(): { shared: Locked; exclusive: Locked } {
  let holder: Promise<unknown> | undefined;
  const shared: Locked = (work) => (holder ? holder.then(work) : work());
  return {
    shared,
    exclusive: (work) => {
      const result = shared(work);
      const released = result.catch(() => undefined);
      holder = released;
      // A callback of the same promise as the waiting work, so that nothing runs between them and
      // begins a transaction before the work that waited.
      void released.then(() => {
        if (holder === released) holder = undefined;
      });
      return result;
    },
  };
}
