// Talks to the thread that owns an SQLite file; statements are performed in the order sent.

export type SqliteValue = string | number | boolean | null;

/** What the thread is asked. */
export type Asked = { id: number } & (
  | { open: string; readonly: boolean }
  | { text: string; values: readonly SqliteValue[] }
  | { close: true }
);

/** What the thread answers. */
export type Told =
  { id: number; rows: unknown[] } | { id: number; error: { message: string; code: string } };

export interface SqliteClient {
  run: (text: string, values: readonly SqliteValue[]) => Promise<unknown[]>;
  close: () => Promise<void>;
}

interface Waiting {
  resolve: (rows: unknown[]) => void;
  reject: (error: Error) => void;
}

export async function startSqlite(file: string, readonly: boolean): Promise<SqliteClient> {
  const worker = new Worker(new URL('sqlite-thread.ts', import.meta.url).href) as Thread;
  const waiting = new Map<number, Waiting>();
  let last_id = 0;
  let gone = false;
  const ask = (asked: Ask): Promise<unknown[]> => {
    if (gone) return Promise.reject(closed());
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    last_id += 1;
    // The thread keeps the process alive only while somebody waits for it.
    if (waiting.size === 0) worker.ref();
    waiting.set(last_id, { resolve, reject });
    worker.postMessage({ ...asked, id: last_id });
    return promise;
  };
  worker.onmessage = ({ data }: MessageEvent<Told>) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if (waiting.size === 0) worker.unref();
    if ('rows' in data) one?.resolve(data.rows);
    else one?.reject(failure(data.error.message, data.error.code));
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
    run: (text, values) => ask({ text, values }),
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
