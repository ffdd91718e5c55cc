// Talks to the thread that owns an SQLite file; what is asked is performed in the order sent.
import type { FailedPiece } from './deferred.ts';

export type SqliteValue = string | number | boolean | null;

/** What the thread is asked. */
export type Asked = { id: number } & (
  | { open: string; readonly: boolean }
  | { text: string; values: readonly SqliteValue[] }
  | { task: string; input: unknown; lasting: boolean }
  | { resume: true }
  | { close: true }
);

/** What the thread answers. */
export type Told =
  { id: number; result: unknown } | { id: number; error: { message: string; code: string } };

/** What the thread says without being asked. */
export interface Notice {
  failed: FailedPiece;
}

export interface SqliteClient {
  run: (text: string, values: readonly SqliteValue[]) => Promise<unknown[]>;
  /** A whole transaction within the thread; one that need not last survives us, not the machine. */
  perform: (task: string, input: unknown, lasting: boolean) => Promise<unknown>;
  /** Resolves when the task is written down and synced; it is performed later. */
  defer: (task: string, input: unknown) => Promise<void>;
  resume: () => Promise<void>;
  close: () => Promise<void>;
}

/** Text crosses to another thread several times faster than objects do, unless it is long. */
const most_chars_as_text = 65_536;

export function pack(message: Asked | Told, chars: number): unknown {
  return chars > most_chars_as_text ? message : JSON.stringify(message);
}

export function unpack<T>(data: unknown): T {
  return (typeof data === 'string' ? JSON.parse(data) : data) as T;
}

/** Nobody looks into what is put off before it is performed, so it stays the text it is. */
export function packDeferred(id: number, task: string, input: unknown): string {
  return `${id} ${task} ${JSON.stringify(input)}`;
}

/** Undefined for anything else, which begins with a brace or is no text. */
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

/** How long the texts in a list of values are. */
export function countChars(values: readonly unknown[]): number {
  let chars = 0;
  for (const value of values) if (typeof value === 'string') chars += value.length;
  return chars;
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

export async function startSqlite(
  file: string,
  readonly: boolean,
  onFailed: (failed: FailedPiece) => void = () => undefined,
): Promise<SqliteClient> {
  const worker = new Worker(new URL('../store-thread.ts', import.meta.url).href) as Thread;
  const waiting = new Map<number, Waiting>();
  let last_id = 0;
  let gone = false;
  const tell = (write: (id: number) => unknown): Promise<unknown> => {
    if (gone) return Promise.reject(closed());
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    last_id += 1;
    // The thread keeps the process alive only while somebody waits for it.
    if (waiting.size === 0) worker.ref();
    waiting.set(last_id, { resolve, reject });
    worker.postMessage(write(last_id));
    return promise;
  };
  const ask = (asked: Ask, chars = 0) => tell((id) => pack({ ...asked, id }, chars));
  worker.onmessage = ({ data }: MessageEvent) => {
    const told = unpack<Told | Notice>(data);
    if ('failed' in told) return onFailed(told.failed);
    const one = waiting.get(told.id);
    waiting.delete(told.id);
    if (waiting.size === 0) worker.unref();
    if ('error' in told) one?.reject(failure(told.error.message, told.error.code));
    else one?.resolve(told.result);
  };
  const abandon = () => {
    gone = true;
    for (const one of waiting.values()) one.reject(closed());
    waiting.clear();
  };
  worker.addEventListener('close', abandon);
  worker.addEventListener('error', abandon);
  try {
    await ask({ open: file, readonly });
  } catch (error) {
    worker.terminate();
    throw error;
  }
  return {
    run: (text, values) => ask({ text, values }, countChars(values)) as Promise<unknown[]>,
    perform: (task, input, lasting) => ask({ task, input, lasting }),
    defer: async (task, input) => {
      await tell((id) => packDeferred(id, task, input));
    },
    resume: async () => {
      await ask({ resume: true });
    },
    close: async () => {
      await ask({ close: true });
      abandon();
      worker.terminate();
    },
  };
}

/** What Bun adds to a worker of the web. */
type Thread = Worker & { ref: () => void; unref: () => void };

type Ask = Asked extends infer One ? (One extends unknown ? Omit<One, 'id'> : never) : never;

function closed(): Error {
  return failure('the store is closed', 'SQLITE_GONE');
}

function failure(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
