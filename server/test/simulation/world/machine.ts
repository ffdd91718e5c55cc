// The machine of a simulated process: its clock, timers, chance, threads, files and network come from
// the world, and end with the process.
import { Database as Sqlite } from 'bun:sqlite';
import { createHash, createHmac } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { makeBatchTask } from '../../../src/billing/book-batch.ts';
import { machine, type Machine, type SyncedFile } from '../../../src/platform/machine.ts';
import { logTask } from '../../../src/requests/log-queue.ts';
import { refusalTask } from '../../../src/requests/refusals.ts';
import { makeSqliteServer } from '../../../src/store/sqlite/sqlite-thread.ts';
import { jobRows, transitionTask } from '../../../src/transcription/job-changes.ts';
import type { Random } from '../seeded-random.ts';
import type { SimulatedFiles } from './files.ts';
import type { Life, Scheduler, Task } from './scheduler.ts';

/** Of this machine, because the simulation replaces it. */
const { openToRead } = machine;

/** What the world decides for a process. */
export interface Surroundings {
  scheduler: Scheduler;
  /** For ids and for the choices of the gateway itself. */
  random: Random;
  /** How long a message to or from the thread of the store takes. */
  threadMs: () => number;
  /** How long work that a process repeats pauses when it wants to pause for so long. */
  pauseMs: (wantedMs: number) => number;
  /** How long the disk takes to sync. */
  syncMs: () => number;
  /** Where uploads are. */
  files: SimulatedFiles;
  /** Answers a request that leaves a process. */
  fetch: (life: Life, url: URL, init: BunFetchRequestInit) => Promise<Response>;
  /** Takes the handler of a process that listens. */
  listen: (life: Life, handle: Handle) => { stop: (isForced?: boolean) => Promise<void> };
  /** Throws what the disk says to a statement that writes. */
  beforeStatement: (text: string, isInTransaction: boolean) => void;
  openSql: (
    life: Life,
    options: Parameters<Machine['openSql']>[0],
  ) => ReturnType<Machine['openSql']>;
  /** Around a write to the journal; true before it if it must not happen. */
  onJournal: (when: 'before' | 'after', written: Uint8Array) => boolean;
  /** A commit reached the file; `isSynced` if it reached the disk as well. */
  afterCommit: (file: string, isSynced: boolean) => void;
  /** A connection to the store ends. */
  beforeClose: () => void;
}

export type Handle = (request: Request) => Promise<Response>;

/** The world begins at this time, 2026-01-01. */
export const epochMs = Date.UTC(2026, 0, 1);

/** Replaces the machines until the returned function is called. */
export function useMachine(world: Surroundings, machines: readonly Machine[]): () => void {
  const real = machines.map((one) => ({ ...one }));
  for (const one of machines) Object.assign(one, simulatedMachine(world));
  // Requests to a bucket are signed with it, on a thread of the runtime.
  const { subtle } = crypto;
  Object.defineProperty(crypto, 'subtle', { value: signing, configurable: true });
  return () => {
    for (const [at, one] of machines.entries()) Object.assign(one, real[at]);
    Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true });
  };
}

/** The part of Web Crypto that signs a request. */
const signing = {
  importKey: async (_format: string, key: Uint8Array) => key,
  sign: async (_name: string, key: Uint8Array, data: Uint8Array) =>
    new Uint8Array(createHmac('sha256', key).update(data).digest()).buffer,
  digest: async (_name: string, data: Uint8Array) =>
    new Uint8Array(createHash('sha256').update(data).digest()).buffer,
};

function simulatedMachine(world: Surroundings): Machine {
  const { scheduler, random } = world;
  const own = (): Life => {
    const life = scheduler.current();
    if (!life?.isAlive) throw new Error('code of an ended process reached its machine');
    return life;
  };
  const bytes = (size: number) =>
    Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)));
  const now = () => {
    const life = scheduler.current();
    return Math.floor(epochMs + scheduler.now() + (life?.clockOffsetMs ?? 0));
  };
  const sleep: Machine['sleep'] = (wantedMs, { signal, ref = true } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) return Promise.reject(aborted());
    // A pause of repeated work does not keep its process alive.
    const ms = Math.max(1, ref ? wantedMs : world.pauseMs(wantedMs));
    const task = scheduler.after(ms, own(), () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    const abort = () => {
      task.isCancelled = true;
      reject(aborted());
    };
    signal?.addEventListener('abort', abort, { once: true });
    return promise;
  };
  const nextTurn = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    scheduler.after(0, own(), resolve);
    return promise;
  };
  return {
    now,
    ticks: () => scheduler.now() - (scheduler.current()?.startedAt ?? 0),
    sleep,
    setTimeout: (work, ms) => scheduler.after(Math.max(1, ms), own(), work) as unknown as Timer,
    clearTimeout: (timer) => {
      if (timer) (timer as unknown as Task).isCancelled = true;
    },
    nextTurn,
    random,
    randomBytes: bytes,
    newUuid: () => uuidOf(now(), bytes(10)),
    fetch: (url, init) => world.fetch(own(), new URL(url), init),
    resolve: () => Promise.resolve(['203.0.113.7']),
    serve: (options) => {
      const life = own();
      const { fetch: handle } = options as { fetch: (request: Request, on: unknown) => unknown };
      // What `platform/listen.ts` needs of Bun's server.
      const server: object = {
        port: 8080,
        pendingRequests: 0,
        timeout: () => undefined,
        requestIP: () => ({ address: '192.0.2.1' }),
        ...world.listen(life, async (request) => (await handle(request, server)) as Response),
      };
      return server as unknown as Bun.Server<undefined>;
    },
    startThread: (program) => {
      if (program.href.endsWith('/store-thread.ts')) {
        return storeThread(world, own()) as unknown as Worker;
      }
      if (program.href.endsWith('/read-length-thread.ts')) {
        return lengthThread(world, own()) as unknown as Worker;
      }
      throw new Error(`the simulation has no thread ${program.href}`);
    },
    openSqlite: (file, options) => openSqlite(world, own(), file, options),
    openSql: (options) => world.openSql(own(), options),
    stat: () => Promise.resolve({ dev: 1, ino: 1 }),
    openToRead: (path) => {
      const file = openToRead(path);
      if (file) own().atEnd.push(file.close);
      return file && { ...file, close: () => undefined };
    },
    openSynced: (path) => openSynced(world, own(), path),
    ...world.files.ofProcess(own),
    openS3: (options) => world.files.openS3(own(), options),
    freeBytes: () => Promise.resolve(2 ** 40),
  };
}

function aborted(): Error {
  return Object.assign(new Error('The operation was aborted'), { name: 'AbortError' });
}

function uuidOf(ms: number, rest: Buffer): string {
  const time = ms.toString(16).padStart(12, '0');
  const hex = rest.toString('hex');
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${hex.slice(0, 3)}`,
    `8${hex.slice(3, 6)}`,
    hex.slice(6, 18),
  ].join('-');
}

/** The real code of the store's thread, whose messages travel through the scheduler, in order. */
function storeThread(world: Surroundings, life: Life) {
  const { scheduler } = world;
  let isOpen = true;
  let busyUntil = 0;
  let answeredAt = 0;
  const post = (data: unknown) => {
    answeredAt = Math.max(answeredAt, scheduler.now() + world.threadMs());
    scheduler.after(answeredAt - scheduler.now(), life, () => {
      if (isOpen) thread.onmessage({ data });
    });
  };
  const serve = makeSqliteServer(tasks, post);
  const thread = {
    onmessage: (_event: { data: unknown }) => undefined as void,
    postMessage: (data: unknown) => {
      const copy = typeof data === 'string' ? data : structuredClone(data);
      const writes =
        typeof data === 'string' ? !data.includes('"text":"select') : 'book' in (data as object);
      const startsAt = Math.max(busyUntil, scheduler.now() + world.threadMs());
      busyUntil = startsAt + (writes ? world.syncMs() : 0);
      scheduler.after(busyUntil - scheduler.now(), life, () => void serve(copy as never));
    },
    addEventListener: () => undefined,
    ref: () => undefined,
    unref: () => undefined,
    terminate: () => {
      isOpen = false;
    },
  };
  return thread;
}

const wavHeadBytes = 44;

/** Reads the length of a recording from the head of a WAV file, and no other format. */
function lengthThread({ scheduler, threadMs }: Surroundings, life: Life) {
  let isOpen = true;
  const ended: (() => void)[] = [];
  const post = (data: unknown) =>
    scheduler.after(threadMs(), life, () => {
      if (isOpen) thread.onmessage({ data });
    });
  const thread = {
    onmessage: (_event: { data: unknown }) => undefined as void,
    postMessage: (data: { task: unknown } | { reply: ArrayBuffer }) => {
      if ('task' in data) {
        post('started');
        return post({ request: { start: 0, end: wavHeadBytes } });
      }
      const head = new DataView(data.reply);
      const seconds = head.getUint32(40, true) / head.getUint32(28, true);
      return post({ value: { seconds } });
    },
    addEventListener: (type: string, listener: () => void) => {
      if (type === 'close') ended.push(listener);
    },
    removeEventListener: (_type: string, listener: () => void) => {
      const at = ended.indexOf(listener);
      if (at >= 0) ended.splice(at, 1);
    },
    terminate: () => {
      isOpen = false;
      scheduler.after(threadMs(), life, () => {
        for (const listener of ended) listener();
      });
    },
  };
  return thread;
}

const tasks = [makeBatchTask(jobRows), logTask, refusalTask, transitionTask];

/** A real file. Of what is being written, a kill or a power loss leaves a part. */
function openSynced(world: Surroundings, life: Life, path: string): SyncedFile {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT);
  let tear: (() => void) | undefined;
  life.atEnd.push(() => {
    tear?.();
    closeSync(file);
  });
  return {
    read: (into, at) => readSync(file, into, 0, into.length, at),
    size: () => fstatSync(file).size,
    close: () => undefined,
    write: (bytes, length, at) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const written = bytes.slice(0, length);
      const write = (count: number) => void writeSync(file, written, 0, count, at);
      tear = () => write(Math.floor(world.random() * (length + 1)));
      world.scheduler.after(world.syncMs(), life, () => {
        if (world.onJournal('before', written)) return;
        tear = undefined;
        write(length);
        world.onJournal('after', written);
        resolve();
      });
      return promise;
    },
  };
}

/** The real engine on a real file in memory; a kill closes it, which rolls back. */
function openSqlite(
  world: Surroundings,
  life: Life,
  file: string,
  options: Parameters<Machine['openSqlite']>[1],
): Sqlite {
  const sqlite = new Sqlite(file, options);
  let isOpen = true;
  let isSynced = true;
  const close = () => {
    if (isOpen) world.beforeClose();
    if (isOpen) sqlite.close();
    isOpen = false;
  };
  life.atEnd.push(close);
  return {
    get inTransaction() {
      return sqlite.inTransaction;
    },
    run: (text: string) => {
      if (text === 'pragma synchronous = normal') isSynced = false;
      if (text === 'pragma synchronous = full') isSynced = true;
      // Nothing in the simulation waits for a lock.
      return sqlite.run(text.startsWith('pragma busy_timeout') ? 'pragma busy_timeout = 0' : text);
    },
    prepare: (text: string) => {
      const statement = sqlite.prepare(text);
      const isRead = /^\s*select\b/i.test(text);
      const isEnd = text === 'commit';
      if (isRead) return statement;
      return {
        all: (...values: never[]) => {
          world.beforeStatement(text, sqlite.inTransaction);
          const rows = statement.all(...values);
          if (isEnd || !sqlite.inTransaction) world.afterCommit(file, isSynced);
          return rows;
        },
        finalize: () => statement.finalize(),
      };
    },
    close,
  } as unknown as Sqlite;
}
