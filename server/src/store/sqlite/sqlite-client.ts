// Client of the thread that owns the SQLite file. The thread handles messages in the order sent. Deferred
// tasks are journaled here, so that a batch of payments waits for one write and not for the thread.
import { machine } from '../../platform/machine.ts';
import { describeFailure } from '../../platform/start-error.ts';
import { isDamage, storeError } from '../../platform/store-trouble.ts';
import type { Runner, Value } from '../database.ts';
import type { FailedTask } from '../deferred.ts';
import { facts } from '../facts.ts';
import {
  factOf,
  groupChars,
  journalFact,
  journalFileOf,
  type JournalFile,
  type JournalRecord,
  maxRecordChars,
  positionOf,
  readJournal,
  startJournal,
} from './journal-file.ts';

export type ThreadRequest = { id: number } & (
  | { open: string; readonly: boolean }
  | { text: string; values: readonly Value[] }
  | { task: string; input: unknown; durable: boolean }
  | { resume: true }
  | { close: true }
);

export type ThreadResponse =
  | { id: number; result: unknown }
  | { id: number; error: { message: string; code: string } };

/** Records of the journal, for the thread to book. It answers with notices. */
export interface BookMessage {
  book: readonly JournalRecord[];
}

/** A message that the thread sends unasked. */
export type ThreadNotice =
  | { failed: FailedTask }
  /** Records up to this number are booked, and on disk. */
  | { booked: number }
  | { damaged: { message: string; code: string } };

/** Posting a short message as JSON is several times faster than cloning the object. */
const maxJsonChars = 65_536;

export function pack(message: ThreadRequest | ThreadResponse, chars: number): unknown {
  return chars > maxJsonChars ? message : JSON.stringify(message);
}

export function unpack<T extends object>(data: string | T): T {
  return typeof data === 'string' ? JSON.parse(data) : data;
}

/** The total length of the texts among the values. */
export function countChars(values: readonly unknown[]): number {
  let chars = 0;
  for (const value of values) if (typeof value === 'string') chars += value.length;
  return chars;
}

interface PendingRequest {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** The longest time until a reader of the file outside this process sees a deferred task. */
const maxDelayMs = 50;

export type SqliteClient = Awaited<ReturnType<typeof startSqlite>>;

/**
 * `program` is the entry point of the thread, which calls `serveSqlite` with the tasks it can run.
 */
export async function startSqlite(
  file: string,
  readonly: boolean,
  program: URL,
  onFailed: (failed: FailedTask) => void = () => undefined,
) {
  const worker = machine.startThread(program) as Thread;
  const pending = new Map<number, PendingRequest>();
  let lastId = 0;
  let isClosed = false;
  let journal: JournalFile | undefined;
  const unsent: JournalRecord[] = [];
  let unsentChars = 0;
  let timer: Timer | undefined;
  let isAlone = false;
  let deferring: Promise<unknown> = Promise.resolve();
  const sendRecords = () => {
    machine.clearTimeout(timer);
    timer = undefined;
    if (isClosed || isAlone || unsent.length === 0) return;
    worker.postMessage({ book: unsent.splice(0) } satisfies BookMessage);
    unsentChars = 0;
  };
  const post = (write: (id: number) => unknown): Promise<unknown> => {
    if (isClosed) return Promise.reject(closed());
    // Whatever was acknowledged is booked before the thread does anything else.
    sendRecords();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    lastId += 1;
    // The thread keeps the process alive only while a request is pending.
    if (pending.size === 0) worker.ref();
    pending.set(lastId, { resolve, reject });
    worker.postMessage(write(lastId));
    return promise;
  };
  const request = (body: RequestBody, chars = 0) => post((id) => pack({ ...body, id }, chars));
  worker.onmessage = ({ data }: MessageEvent) => {
    const message = unpack<ThreadResponse | ThreadNotice>(data);
    if ('failed' in message) return onFailed(message.failed);
    if ('booked' in message) return journal?.free(message.booked);
    if ('damaged' in message) return endIfDamaged(message.damaged);
    const one = pending.get(message.id);
    pending.delete(message.id);
    if (pending.size === 0) worker.unref();
    if (!('error' in message)) return one?.resolve(message.result);
    one?.reject(endIfDamaged(message.error));
  };
  /** Closing it would copy a damaged log into the database, so the thread is left as it is. */
  const endIfDamaged = ({ message, code }: { message: string; code: string }): Error => {
    const error = storeError(code, message);
    if (isDamage(error)) end(describeFailure(error, `The store ${file}`) ?? message);
    return error;
  };
  const abandon = () => {
    isClosed = true;
    machine.clearTimeout(timer);
    journal?.close();
    for (const one of pending.values()) one.reject(closed());
    pending.clear();
  };
  const died = Promise.withResolvers<string>();
  /** Refuses everything from now on, and resolves `died`. */
  const end = (reason: string) => {
    if (isClosed) return;
    abandon();
    died.resolve(reason);
  };
  const endThread = (reason: string) => end(`The thread of the store ended: ${reason}.`);
  worker.addEventListener('error', ({ message }) => endThread(message));
  worker.addEventListener('close', () => endThread('it ended without a reason'));
  try {
    await request({ open: file, readonly });
  } catch (error) {
    worker.terminate();
    throw error;
  }
  const run = <T = unknown>(text: string, values: readonly Value[] = []) =>
    request({ text, values }, countChars(values)) as Promise<T[]>;
  /** Runs a whole transaction within the thread; see `Database.perform` for `durable`. */
  const perform = (task: string, input: unknown, durable: boolean) =>
    request({ task, input, durable });
  const own: Runner = { run, lock: () => '' };
  const append = async (text: string): Promise<JournalRecord> => {
    if (isClosed || !journal) throw closed();
    try {
      return await journal.append(text);
    } catch (error) {
      const { message, code } = error as { message: string; code: string };
      throw endIfDamaged({ message, code });
    }
  };
  const defer = async (task: string, input: unknown): Promise<void> => {
    const text = `${task} ${JSON.stringify(input)}`;
    if (text.length > maxRecordChars) return void (await perform(task, input, true));
    const record = await append(text).catch(async (error: unknown) => {
      if ((error as { code?: unknown }).code !== 'SQLITE_FULL') throw error;
      // Books everything, or says why the store cannot.
      await run('select 1');
      return append(text);
    });
    // Found damaged meanwhile: nothing is acknowledged any more.
    if (isClosed) throw closed();
    unsent.push(record);
    unsentChars += text.length;
    if (unsentChars >= groupChars) sendRecords();
    else timer ??= machine.setTimeout(sendRecords, maxDelayMs);
  };
  /** The next start then needs no journal. What cannot be booked stays in it. */
  const emptyJournal = async (full: JournalFile) => {
    await run('select 1');
    await full.empty();
    await run('delete from store_facts where name = $1', [journalFact]);
  };
  return {
    run,
    perform,
    /** Resolves when the task is journaled and synced. It runs later. Only after `resume`. */
    defer: (task: string, input: unknown) => {
      const deferred = defer(task, input);
      deferring = deferred.catch(() => undefined);
      return deferred;
    },
    /** Books what an earlier process left, and starts the journal. Fails if a part of it is lost. */
    resume: async (acceptLoss?: (reason: string) => void) => {
      await request({ resume: true });
      const path = journalFileOf(file);
      const booked = positionOf(await facts.find(own, journalFact));
      unsent.push(...readJournal(path, booked, acceptLoss));
      // Statements run once everything is booked.
      await run('select 1');
      journal = await startJournal(path, (start) => facts.put(own, journalFact, factOf(start)));
    },
    /** Books what is journaled, and nothing more until a transaction of several statements has ended. */
    alone: async <T>(work: () => Promise<T>) => {
      await deferring;
      sendRecords();
      isAlone = true;
      try {
        return await work();
      } finally {
        isAlone = false;
        sendRecords();
      }
    },
    close: async () => {
      if (isClosed) return;
      if (journal) await emptyJournal(journal).catch(() => undefined);
      await request({ close: true });
      abandon();
      worker.terminate();
    },
    end,
    /**
     * Resolves with the reason if the thread ends unexpectedly or finds the store damaged. No
     * statement can run after that.
     */
    died: died.promise,
  };
}

/** Bun's additions to the standard Worker. */
type Thread = Worker & { ref: () => void; unref: () => void };

type RequestBody = ThreadRequest extends infer One
  ? One extends unknown
    ? Omit<One, 'id'>
    : never
  : never;

function closed(): Error {
  return storeError('SQLITE_GONE', 'the store is closed');
}
