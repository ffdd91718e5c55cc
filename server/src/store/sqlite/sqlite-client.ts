// Client of the thread that owns the SQLite file. The thread handles messages in the order sent.
import { machine } from '../../platform/machine.ts';
import { describeFailure } from '../../platform/start-error.ts';
import { isDamage } from '../../platform/store-trouble.ts';
import type { Value } from '../database.ts';
import type { FailedTask } from '../deferred.ts';

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

/** A message that the thread sends unasked. */
interface ThreadNotice {
  failed: FailedTask;
}

export interface SqliteClient {
  run: (text: string, values: readonly Value[]) => Promise<unknown[]>;
  /** Runs a whole transaction within the thread; see `Database.perform` for `durable`. */
  perform: (task: string, input: unknown, durable: boolean) => Promise<unknown>;
  /** Resolves when the task is journaled and synced. It runs later. */
  defer: (task: string, input: unknown) => Promise<void>;
  resume: () => Promise<void>;
  close: () => Promise<void>;
  /** Refuses everything from now on, and resolves `died`. */
  end: (reason: string) => void;
  /**
   * Resolves with the reason if the thread ends unexpectedly or finds the store damaged. No
   * statement can run after that.
   */
  died: Promise<string>;
}

/** Posting a short message as JSON is several times faster than cloning the object. */
const maxJsonChars = 65_536;

export function pack(message: ThreadRequest | ThreadResponse, chars: number): unknown {
  return chars > maxJsonChars ? message : JSON.stringify(message);
}

export function unpack<T extends object>(data: string | T): T {
  return typeof data === 'string' ? JSON.parse(data) : data;
}

/** The input of a deferred task is stored as text, so the thread need not parse it. */
function packDeferred(id: number, task: string, input: unknown): string {
  return `${id} ${task} ${JSON.stringify(input)}`;
}

/** Undefined for any other message, which is an object or a JSON text that starts with a brace. */
export function unpackDeferred(
  data: unknown,
): { id: number; task: string; input: string } | undefined {
  if (typeof data !== 'string' || data.startsWith('{')) return undefined;
  const first = data.indexOf(' ');
  const second = data.indexOf(' ', first + 1);
  return {
    id: Number(data.slice(0, first)),
    task: data.slice(first + 1, second),
    input: data.slice(second + 1),
  };
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

/**
 * `program` is the entry point of the thread, which calls `serveSqlite` with the tasks it can run.
 */
export async function startSqlite(
  file: string,
  readonly: boolean,
  program: URL,
  onFailed: (failed: FailedTask) => void = () => undefined,
): Promise<SqliteClient> {
  const worker = machine.startThread(program) as Thread;
  const pending = new Map<number, PendingRequest>();
  let lastId = 0;
  let isClosed = false;
  const post = (write: (id: number) => unknown): Promise<unknown> => {
    if (isClosed) return Promise.reject(closed());
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
    const one = pending.get(message.id);
    pending.delete(message.id);
    if (pending.size === 0) worker.unref();
    if (!('error' in message)) return one?.resolve(message.result);
    const error = storeError(message.error.message, message.error.code);
    one?.reject(error);
    // Closing it would copy a damaged log into the database, so the thread is left as it is.
    if (isDamage(error)) end(describeFailure(error, `The store ${file}`) ?? error.message);
  };
  const abandon = () => {
    isClosed = true;
    for (const one of pending.values()) one.reject(closed());
    pending.clear();
  };
  const died = Promise.withResolvers<string>();
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
  return {
    run: (text, values) => request({ text, values }, countChars(values)) as Promise<unknown[]>,
    perform: (task, input, durable) => request({ task, input, durable }),
    defer: async (task, input) => {
      await post((id) => packDeferred(id, task, input));
    },
    resume: async () => {
      await request({ resume: true });
    },
    close: async () => {
      if (isClosed) return;
      await request({ close: true });
      abandon();
      worker.terminate();
    },
    end,
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
  return storeError('the store is closed', 'SQLITE_GONE');
}

function storeError(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
