// The SQLite database. One connection writes, in its own thread, with a lock around transactions.
// Another reads for reports and lists, in a second thread.
import type { Database, Row, Runner, Task, Value } from '../database.ts';
import type { FailedTask } from '../deferred.ts';
import { keepStorePrivate } from '../../platform/machine.ts';
import { describeFailure } from '../../platform/start-error.ts';
import { isDamage } from '../../platform/store-trouble.ts';
import { makeReadQueue } from '../read-queue.ts';
import { type SqliteClient, startSqlite } from './sqlite-client.ts';

/**
 * `program` is the entry point of the thread. `onFailed` receives deferred tasks that it cannot
 * run.
 */
export async function openSqlite(
  file: string,
  program: URL,
  onFailed?: (failed: FailedTask) => void,
): Promise<Database> {
  keepStorePrivate(file);
  const client = await startSqlite(file, false, program, onFailed);
  return withReader(file, program, makeDatabase(client), client.end);
}

/** Read-only, even while a gateway runs: takes no lock and writes nothing. */
export async function openSqliteReadOnly(file: string, program: URL): Promise<Database> {
  const database = makeDatabase(await startSqlite(file, true, program));
  return { ...database, reader: database };
}

type Writer = Omit<Database, 'reader'>;

/** The reader's thread starts with the first read. */
function withReader(
  file: string,
  program: URL,
  writer: Writer,
  endWriter: SqliteClient['end'],
): Database {
  let starting: Promise<SqliteClient> | undefined;
  let isBehind = false;
  let booking: Promise<unknown> = Promise.resolve();
  /** Everything journaled before a read must be in the tables, and the reader cannot book it. */
  const bookDeferred = () => {
    if (!isBehind) return booking;
    isBehind = false;
    // The thread books before it runs any statement.
    booking = writer.run('select 1').catch((error: unknown) => {
      isBehind = true;
      throw error;
    });
    return booking;
  };
  const read = async <T>(text: string, values: readonly Value[]) => {
    await bookDeferred();
    starting ??= startSqlite(file, true, program);
    try {
      return (await (await starting).run(text, values)) as T[];
    } catch (error) {
      // The next read replaces a thread that could not start or has ended.
      const isGone = /^SQLITE_(?:GONE|CANTOPEN)/.test(String((error as { code?: unknown }).code));
      if (isGone) starting = undefined;
      if (isDamage(error)) endWriter(describeFailure(error, `The store ${file}`) ?? String(error));
      throw error;
    }
  };
  return {
    ...writer,
    defer: async (task, input) => {
      await writer.defer?.(task, input);
      isBehind = true;
    },
    reader: { run: makeReadQueue(1, read), lock: writer.lock },
    close: async () => {
      const reader = await starting?.catch(() => undefined);
      await reader?.close();
      await writer.close();
    },
  };
}

function makeDatabase(sqlite: SqliteClient): Writer {
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
    // There is one connection: a statement sent during a transaction would become part of it, so it
    // waits.
    run: (text, values) => connection.shared(() => runner.run(text, values)),
    transaction: (work) =>
      connection.exclusive(() => sqlite.alone(() => inTransaction(runner, work))),
    perform: <I, O>({ name }: Task<I, O>, input: I, durable: boolean) =>
      connection.shared(() => sqlite.perform(name, input, durable) as Promise<O>),
    defer: ({ name }, input) => connection.shared(() => sqlite.defer(name, input)),
    resume: (acceptLoss) => connection.shared(() => sqlite.resume(acceptLoss)),
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
      // A callback on the same promise as the waiting work, so that nothing can run between them
      // and begin a transaction before the work that waited.
      void released.then(() => {
        if (holder === released) holder = undefined;
      });
      return result;
    },
  };
}
