// The thread that owns an SQLite file: a slow disk then delays a commit, not every request.
import { Database as Sqlite } from 'bun:sqlite';
import type { Statement } from 'bun:sqlite';
import type { Runner, Task } from './database.ts';
import { makeDeferred } from './deferred.ts';
import type { Deferred, FailedPiece, Known } from './deferred.ts';
import { countChars, pack, unpack, unpackDeferred } from './sqlite-client.ts';
import type { Asked, SqliteValue, Told } from './sqlite-client.ts';

declare const self: Worker;

const busy_timeout_ms = 5000;
/** Copying the log back into the file costs the same for few changes as for many; about 16 MB. */
const pages_between_copies = 4000;
let sqlite: Sqlite | undefined;

/** Answers whoever started this thread; `tasks` are the transactions it knows by name. */
export function serveSqlite(tasks: readonly Task<never, unknown>[]): void {
  const known: Known = new Map(tasks.map((task) => [task.name, task]));
  const transaction = (work: () => Promise<void>) => inTransaction(false, work);
  const onFailed = (failed: FailedPiece) => self.postMessage(JSON.stringify({ failed }));
  const deferred = makeDeferred({ known, runner, transaction, onFailed });
  self.onmessage = async ({ data }: MessageEvent) => {
    const told = await answer(data, known, deferred);
    self.postMessage(pack(told, charsIn(told)));
  };
}

function answer(data: unknown, known: Known, deferred: Deferred): Promise<Told> {
  const put_off = unpackDeferred(data);
  if (put_off) return tell(put_off.id, () => deferred.put(put_off.task, put_off.input));
  const asked = unpack<Asked>(data);
  return tell(asked.id, () => perform(asked, known, deferred));
}

async function tell(id: number, work: () => Promise<unknown>): Promise<Told> {
  try {
    return { id, result: (await work()) ?? [] };
  } catch (error) {
    const { message, code } = error as { message?: unknown; code?: unknown };
    return { id, error: { message: String(message), code: String(code) } };
  }
}

async function perform(asked: Asked, known: Known, deferred: Deferred): Promise<unknown> {
  if ('open' in asked) {
    sqlite = open(asked.open, asked.readonly);
    return undefined;
  }
  if ('resume' in asked) return deferred.resume();
  await deferred.perform();
  if ('text' in asked) return all(asked.text, asked.values);
  if ('task' in asked) return performTask(asked, known);
  return close();
}

const runner: Runner = {
  // An error is a promise's too, as it is on the other side of the thread.
  run: async <T>(text: string, values: readonly SqliteValue[] = []) => all(text, values) as T[],
  lock: () => '',
};

function performTask(
  { task, input, lasting }: Extract<Asked, { task: string }>,
  known: Known,
): Promise<unknown> {
  const found = known.get(task);
  if (!found) throw new Error(`this thread knows no task ${task}`);
  return inTransaction(lasting, () => found.work(runner, input as never));
}

/** Nothing in it waits for anything but this file, so no message or timer comes in between. */
function inTransaction<T>(lasting: boolean, work: () => Promise<T>): Promise<T> {
  return lasting ? transact(work) : withoutSync(() => transact(work));
}

async function transact<T>(work: () => Promise<T>): Promise<T> {
  all('begin immediate', []);
  try {
    const result = await work();
    all('commit', []);
    return result;
  } catch (error) {
    undo();
    throw error;
  }
}

/** A commit that failed for want of space has rolled back already. */
function undo(): void {
  if (sqlite?.inTransaction === true) all('rollback', []);
}

/**
 * Until the next commit that syncs, what is committed here is in the file's log and not on the
 * disk. However the work ends, also when it cannot begin, all that comes after it is synced again.
 */
async function withoutSync<T>(work: () => Promise<T>): Promise<T> {
  try {
    sqlite?.run('pragma synchronous = normal');
    return await work();
  } finally {
    sqlite?.run('pragma synchronous = full');
  }
}

function all(text: string, values: readonly SqliteValue[]): unknown[] {
  return prepared(text)?.all(...values) ?? [];
}

/** Few texts are used again and again, and reading one anew costs more than running it. */
const most_statements = 512;
const statements = new Map<string, Statement>();

function prepared(text: string): Statement | undefined {
  const known = statements.get(text);
  if (known) return known;
  if (statements.size >= most_statements) forget();
  const statement = sqlite?.prepare(numbered(text));
  if (statement) statements.set(text, statement);
  return statement;
}

function forget(): void {
  for (const statement of statements.values()) statement.finalize();
  statements.clear();
}

function close(): void {
  forget();
  sqlite?.close();
}

function open(file: string, readonly: boolean): Sqlite {
  const opened = readonly ? new Sqlite(file, { readonly }) : new Sqlite(file, { create: true });
  opened.run(`pragma busy_timeout = ${busy_timeout_ms}`);
  if (readonly) return opened;
  opened.run('pragma journal_mode = wal');
  opened.run('pragma synchronous = full');
  opened.run(`pragma wal_autocheckpoint = ${pages_between_copies}`);
  opened.run('pragma foreign_keys = on');
  return opened;
}

/** To SQLite `$2` is a name, counted as it appears; `?2` is the second value wherever it stands. */
function numbered(text: string): string {
  return text.replaceAll(/\$(?=\d)/g, '?');
}

/** Rows are flat, and other results are short. */
function charsIn(told: Told): number {
  if ('error' in told || !Array.isArray(told.result)) return 0;
  let chars = 0;
  for (const row of told.result as unknown[]) {
    if (typeof row === 'object' && row !== null) chars += countChars(Object.values(row));
  }
  return chars;
}
