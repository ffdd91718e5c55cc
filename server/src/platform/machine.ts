// Everything this process takes from its machine: time, timers, randomness, network, threads,
// files. The other files of the server reach the machine through this one, so that the simulation
// (test/simulation/world) can run the whole gateway on a simulated machine.
import { S3Client, SQL } from 'bun';
import { Database as Sqlite } from 'bun:sqlite';
import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  openSync,
  readSync,
  write,
  type Dir,
} from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat, statfs } from 'node:fs/promises';
import { setImmediate as immediately, setTimeout as sleepFor } from 'node:timers/promises';

export interface Machine {
  /** Milliseconds since 1970. The operator may set the clock, so this can jump. */
  now: () => number;
  /** Monotonic milliseconds. */
  ticks: () => number;
  /** Rejects when the signal aborts. Without `ref` it does not keep the process alive. */
  sleep: (ms: number, options?: { signal?: AbortSignal; ref?: boolean }) => Promise<void>;
  setTimeout: (work: () => void, ms: number) => Timer;
  clearTimeout: (timer: Timer | undefined) => void;
  /** Yields to the event loop. */
  nextTurn: () => Promise<void>;
  /** From 0 to 1. */
  random: () => number;
  randomBytes: (size: number) => Buffer;
  /** A version 7 UUID: later ones sort after earlier ones. */
  newUuid: () => string;
  fetch: (url: string | URL, init: BunFetchRequestInit) => Promise<Response>;
  /** The addresses of a name. */
  resolve: (hostname: string) => Promise<string[]>;
  serve: (options: Bun.Serve.Options<undefined>) => Bun.Server<undefined>;
  startThread: (program: URL, options?: WorkerOptions) => Worker;
  openSqlite: (file: string, options: { create: true } | { readonly: true }) => Sqlite;
  /** A pool of connections to a PostgreSQL server. */
  openSql: (options: Bun.SQL.PostgresOrMySQLOptions) => SQL;
  stat: (path: string) => Promise<{ dev: number; ino: number }>;
  /** Undefined if there is none. */
  openToRead: (path: string) => OpenFile | undefined;
  /** To be written in place. Creates the file if necessary. */
  openSynced: (path: string) => SyncedFile;
  files: MachineFiles;
  /** A client of a store that speaks S3. */
  openS3: (options: Bun.S3Options) => S3Client;
  /** Rejects with ENOENT if there is no such folder. */
  openFolder: (path: string) => Promise<Dir>;
  /** Free space on the disk that contains this folder. */
  freeBytes: (folder: string) => Promise<number>;
}

/** Files that are too large for memory. */
interface MachineFiles {
  makeFolder: (path: string) => Promise<void>;
  /** Rejects if there is a file of this name. */
  create: (path: string) => Promise<NewFile>;
  /** Rejects with ENOENT if there is none. */
  stat: (path: string) => Promise<{ size: number; mtimeMs: number; isFile: () => boolean }>;
  rename: (from: string, to: string) => Promise<void>;
  /** Succeeds if there is none. */
  remove: (path: string) => Promise<void>;
  /** Names of files in it survive a power loss after this. */
  syncFolder: (path: string) => Promise<void>;
  read: (path: string) => Blob;
}

export interface OpenFile {
  /** Returns how many bytes there are, up to the size of the buffer. */
  read: (into: Buffer, at: number) => number;
  close: () => void;
}

export interface SyncedFile extends OpenFile {
  /** Resolves when the first `length` bytes have survived a power loss from then on. */
  write: (bytes: Uint8Array, length: number, at: number) => Promise<void>;
  size: () => number;
}

interface NewFile {
  write: (bytes: Uint8Array, at: number, length: number) => Promise<{ bytesWritten: number }>;
  /** What was written survives a power loss after this. */
  sync: () => Promise<void>;
  close: () => Promise<void>;
}

export const machine: Machine = {
  now: () => Date.now(),
  ticks: () => performance.now(),
  sleep: (ms, options) => sleepFor(ms, undefined, options),
  setTimeout: (work, ms) => setTimeout(work, ms),
  clearTimeout: (timer) => clearTimeout(timer),
  nextTurn: () => immediately(),
  random: () => Math.random(),
  randomBytes: (size) => randomBytes(size),
  newUuid: () => Bun.randomUUIDv7(),
  fetch: (url, init) => fetch(url, init),
  resolve: async (hostname) =>
    (await lookup(hostname, { all: true })).map(({ address }) => address),
  serve: (options) => Bun.serve(options),
  startThread: (program, options) => new Worker(program.href, options),
  openSqlite: (file, options) => new Sqlite(file, options),
  openSql: (options) => new SQL(options),
  stat: (path) => stat(path),
  openToRead: (path) => {
    if (!existsSync(path)) return undefined;
    return fileToRead(openSync(path, 'r'));
  },
  openSynced: (path) => {
    const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_DSYNC ?? 0);
    const file = openSync(path, flags, privateMode);
    return {
      ...fileToRead(file),
      size: () => fstatSync(file).size,
      write: (bytes, length, at) => writeAll(file, bytes, length, at),
    };
  },
  files: {
    makeFolder: async (path) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
    create: (path) => open(path, 'wx', privateMode),
    stat: (path) => stat(path),
    rename: (from, to) => rename(from, to),
    remove: (path) => rm(path, { force: true }),
    syncFolder: async (path) => {
      const folder = await open(path, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },
    read: (path) => Bun.file(path),
  },
  openS3: (options) => new S3Client(options),
  openFolder: (path) => opendir(path),
  freeBytes: async (folder) => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};

function fileToRead(file: number): OpenFile {
  return {
    read: (into, at) => readSync(file, into, 0, into.length, at),
    close: () => closeSync(file),
  };
}

function writeAll(file: number, bytes: Uint8Array, length: number, at: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (error: Error | null) => (error ? reject(error) : resolve());
  const writeFrom = (from: number) =>
    write(file, bytes, from, length - from, at + from, (error, written) => {
      if (error) reject(error);
      else if (from + written < length) writeFrom(from + written);
      // Windows has no such flag.
      else if (constants.O_DSYNC === undefined) fdatasync(file, end);
      else resolve();
    });
  writeFrom(0);
  return promise;
}

/** Only the gateway's own user can read such a file. */
export const privateMode = 0o600;

/** Creates the file if necessary, and restricts it to its owner. */
export function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', privateMode));
  chmodSync(file, privateMode);
}

/**
 * SQLite creates its companion files with the mode of the database. The modes of existing files are
 * fixed.
 */
export function keepStorePrivate(file: string): void {
  keepPrivate(file);
  for (const companion of ['-wal', '-shm', '-journal', '.journal']) {
    if (existsSync(file + companion)) chmodSync(file + companion, privateMode);
  }
}
