// The thread that owns the SQLite file, so that a slow disk delays a commit but not every request.
import { setPriority } from 'node:os';
import type { Database as Sqlite, Statement } from 'bun:sqlite';
import { machine } from '../../platform/machine.ts';
import { isDamage } from '../../platform/store-trouble.ts';
import type { Runner, Task, Value } from '../database.ts';
import { type Deferred, type KnownTasks, makeDeferred } from '../deferred.ts';
import { type LogCheck, makeLogCheck } from './log-check.ts';
import { countChars, pack, unpack } from './sqlite-client.ts';
import type { BookMessage, ThreadNotice, ThreadRequest, ThreadResponse } from './sqlite-client.ts';

declare const self: Worker;

const busyTimeoutMs = 5000;
const longChars = 64 * 1024;
/** A checkpoint costs about the same for few changes as for many, so the WAL may grow to 16 MB. */
const pagesBetweenCheckpoints = 4000;

/**
 * Serves the thread that started this one. `tasks` are the transactions that it can run by name.
 */
export function serveSqlite(tasks: readonly Task<never, unknown>[]): void {
  const answer = makeSqliteServer(tasks, (message) => self.postMessage(message));
  self.onmessage = ({ data }: MessageEvent) => answer(data);
}

/** Returns a function that receives the client's messages and answers through `post`. */
export function makeSqliteServer(
  tasks: readonly Task<never, unknown>[],
  post: (message: unknown) => void,
): (data: string | ThreadRequest | BookMessage) => Promise<void> {
  const known: KnownTasks = new Map(tasks.map((task) => [task.name, task]));
  const connection = makeConnection();
  const notify = (notice: ThreadNotice) => post(JSON.stringify(notice));
  const deferred = makeDeferred({
    tasks: known,
    runner: connection,
    transaction: async (work) => {
      await connection.transact(true, work);
      connection.checkUndamaged();
    },
    onFailed: (failed) => notify({ failed }),
    onBooked: (booked) => notify({ booked }),
    onDamage: (damaged) => notify({ damaged }),
  });
  const collectAfter = makeCollector();
  return async (data) => {
    if (typeof data === 'object' && 'book' in data) {
      await deferred.add(data.book);
      connection.checkpoint();
      collectAfter(data.book.reduce((sum, { text }) => sum + text.length, 0));
      return;
    }
    const response = await respond(data, known, connection, deferred);
    const chars = charsIn(response);
    post(pack(response, chars));
    connection.checkpoint();
    collectAfter(chars + charsOf(data));
  };
}

function respond(
  data: string | ThreadRequest,
  known: KnownTasks,
  connection: Connection,
  deferred: Deferred,
): Promise<ThreadResponse> {
  const request = unpack<ThreadRequest>(data);
  return acknowledge(request.id, connection, () => perform(request, known, connection, deferred));
}

/** Nothing is acknowledged that the next start could not read. */
async function acknowledge(
  id: number,
  connection: Connection,
  work: () => Promise<unknown>,
): Promise<ThreadResponse> {
  try {
    const result = (await work()) ?? [];
    connection.checkUndamaged();
    return { id, result };
  } catch (error) {
    const { message, code } = error as { message?: unknown; code?: unknown };
    return { id, error: { message: String(message), code: String(code) } };
  }
}

async function perform(
  request: ThreadRequest,
  known: KnownTasks,
  connection: Connection,
  deferred: Deferred,
): Promise<unknown> {
  if ('open' in request) return connection.open(request.open, request.readonly);
  if ('resume' in request) return deferred.resume();
  await deferred.runAll();
  if ('text' in request) return connection.all(request.text, request.values);
  if ('task' in request) return performTask(request, known, connection);
  return connection.close();
}

function performTask(
  { task, input, durable }: Extract<ThreadRequest, { task: string }>,
  known: KnownTasks,
  connection: Connection,
): Promise<unknown> {
  const found = known.get(task);
  if (!found) throw new Error(`the store's thread has no task ${task}`);
  return connection.transact(durable, () => found.work(connection, input as never));
}

/** The connection that writes, or one that only reads. */
interface Connection extends Runner {
  open: (file: string, readonly: boolean) => void;
  all: (text: string, values: readonly Value[]) => unknown[];
  /** The work awaits only statements on this file, so no message or timer runs in between. */
  transact: <T>(durable: boolean, work: () => Promise<T>) => Promise<T>;
  /** Throws if a statement found the store damaged, or if the write-ahead log was changed. */
  checkUndamaged: () => void;
  /** Copies a long write-ahead log into the database. */
  checkpoint: () => void;
  close: () => void;
}

/** Few distinct statements are used, and preparing one costs more than running it. */
const maxStatements = 512;

function makeConnection(): Connection {
  let sqlite: Sqlite | undefined;
  let log: LogCheck | undefined;
  let damage: Error | undefined;
  let checkpointed = 0;
  const statements = new Map<string, Statement>();
  const finalizeAll = () => {
    for (const statement of statements.values()) statement.finalize();
    statements.clear();
  };
  const prepared = (text: string): Statement | undefined => {
    const known = statements.get(text);
    if (known) return known;
    if (statements.size >= maxStatements) finalizeAll();
    // SQLite numbers `$2` by its first occurrence, whereas `?2` is always the second value.
    const statement = sqlite?.prepare(text.replaceAll(/\$(?=\d)/g, '?'));
    if (statement) statements.set(text, statement);
    return statement;
  };
  const all = (text: string, values: readonly Value[]): unknown[] => {
    // Whatever is written to a damaged store may be lost.
    if (damage !== undefined) throw damage;
    try {
      return prepared(text)?.all(...values) ?? [];
    } catch (error) {
      if (isDamage(error)) damage = error as Error;
      throw error;
    } finally {
      // A prepared statement keeps its last values in memory.
      if (countChars(values) > longChars) {
        statements.get(text)?.finalize();
        statements.delete(text);
      }
    }
  };
  const synced = async <T>(work: () => Promise<T>): Promise<T> => {
    all('begin immediate', []);
    try {
      const result = await work();
      all('commit', []);
      return result;
    } catch (error) {
      // A commit that failed because the disk is full has already rolled back.
      if (sqlite?.inTransaction === true) all('rollback', []);
      throw error;
    }
  };
  /**
   * The commit is in the WAL, and reaches the disk with the next commit that syncs. Later commits
   * sync again however the work ends, even if it cannot begin.
   */
  const unsynced = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      sqlite?.run('pragma synchronous = normal');
      return await synced(work);
    } finally {
      sqlite?.run('pragma synchronous = full');
    }
  };
  return {
    open: (file, readonly) => {
      sqlite = open(file, readonly);
      log = readonly ? undefined : makeLogCheck(file);
    },
    all,
    // Async, so that an error rejects the promise, as it does for callers on the other thread.
    run: async <T>(text: string, values: readonly Value[] = []) => all(text, values) as T[],
    lock: () => '',
    transact: (durable, work) => (durable ? synced(work) : unsynced(work)),
    checkUndamaged: () => {
      damage ??= log?.findDamage();
      if (damage !== undefined) throw damage;
    },
    checkpoint: () => {
      const frames = log?.frames() ?? 0;
      if (frames < pagesBetweenCheckpoints || frames === checkpointed) return;
      if (damage !== undefined || sqlite?.inTransaction === true) return;
      checkpointed = frames;
      try {
        sqlite?.run('pragma wal_checkpoint(passive)');
      } catch (error) {
        // Everything is in the log, and the next commit tries again.
        if (isDamage(error)) damage = error as Error;
      }
    },
    close: () => {
      finalizeAll();
      sqlite?.close();
      log?.close();
      log = undefined;
    },
  };
}

function open(file: string, readonly: boolean): Sqlite {
  const opened = machine.openSqlite(file, readonly ? { readonly } : { create: true });
  opened.run(`pragma busy_timeout = ${busyTimeoutMs}`);
  if (readonly) {
    yieldToOthers();
    return opened;
  }
  // Takes effect only on a new file, and must come before anything is written.
  opened.run('pragma auto_vacuum = incremental');
  opened.run('pragma journal_mode = wal');
  opened.run('pragma synchronous = full');
  // Only a log that was checked is copied into the database.
  opened.run('pragma wal_autocheckpoint = 0');
  opened.run('pragma foreign_keys = on');
  return opened;
}

/**
 * A nice value: such a thread gets about a third of a payment's share when both want the processor.
 */
const lowPriority = 5;

/** Payments take priority over reports. Only Linux has priorities per thread. */
function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(0, lowPriority);
}

/** Only rows can be long, and they are flat. */
function charsIn(response: ThreadResponse): number {
  if ('error' in response || !Array.isArray(response.result)) return 0;
  let chars = 0;
  for (const row of response.result as unknown[]) {
    if (typeof row === 'object' && row !== null) chars += countChars(Object.values(row));
  }
  return chars;
}

/** The length of a request, which is JSON text, or an object if it has long values. */
function charsOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  const { values } = data as { values?: readonly unknown[] };
  return values ? countChars(values) : 0;
}

/** The thread's garbage collector runs late, because long texts are not part of its heap. */
const charsBetweenCollections = 8 * 1024 * 1024;

function makeCollector(): (chars: number) => void {
  let moved = 0;
  return (chars) => {
    if (chars < longChars) return;
    moved += chars;
    if (moved < charsBetweenCollections) return;
    moved = 0;
    void machine.nextTurn().then(() => Bun.gc(true));
  };
}
