// Where callers' files are stored: one interface for a folder and a bucket, and the folder. A file in
// a folder gets its final name when it is complete and on disk: an upload that was acknowledged must
// survive a power loss.
import { dirname, join } from 'node:path';
import { machine } from '../platform/machine.ts';

/** The storage does not answer as it should. The error repeats nothing that the storage said. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';
}

export interface FileStore {
  kind: 'folder' | 'bucket';
  create: (name: string, type: string) => Promise<FileWriter>;
  /** Undefined if there is no such file. */
  find: (name: string) => Promise<StoredFile | undefined>;
  /** Succeeds if there is no such file. */
  delete: (name: string) => Promise<void>;
  /** The files in pages, finished or not. */
  list: () => AsyncIterable<readonly ListedFile[]>;
  /** Multipart uploads that were never completed, in pages. Only for a bucket. */
  listUnfinished?: () => AsyncIterable<readonly UnfinishedFile[]>;
  /** An address at which anyone can read the file for a while. Only for a bucket. */
  sign?: (name: string, expiresInS: number) => string;
  /** The host of signed addresses. */
  host?: string;
}

export interface FileWriter {
  write: (chunk: Uint8Array) => Promise<void>;
  /** The file exists only after this. */
  finish: () => Promise<void>;
  /** Removes what was written. */
  abort: () => Promise<void>;
}

export interface StoredFile {
  bytes: number;
  /** The bytes from `start` up to `end`, which is exclusive. */
  read: (start?: number, end?: number) => Blob | ReadableStream<Uint8Array<ArrayBuffer>>;
  /** All bytes, without keeping them in memory. */
  stream: () => ReadableStream<Uint8Array<ArrayBuffer>>;
}

export interface UnfinishedFile {
  name: string;
  startedAt: number;
  delete: () => Promise<void>;
}

export interface ListedFile {
  name: string;
  modifiedAt: number;
}

/** Chunks are combined, because each write costs a switch to another thread. */
const bufferBytes = 512 * 1024;
/** How many files are listed at once. */
export const pageFiles = 500;
const unfinished = '.part';

export function openFileFolder(folder: string): FileStore {
  const pathOf = (name: string) => join(folder, name);
  return {
    kind: 'folder',
    create: async (name) => {
      await machine.files.makeFolder(folder);
      return openFolderWriter(pathOf(name));
    },
    find: async (name) => {
      const { size } = (await machine.files.stat(pathOf(name)).catch(orMissing)) ?? {};
      if (size === undefined) return undefined;
      const file = machine.files.read(pathOf(name));
      const read = (start = 0, end = size) => file.slice(start, end);
      return { bytes: size, read, stream: () => file.stream() };
    },
    delete: (name) => removeBoth(pathOf(name)),
    list: () => listFolder(folder),
  };
}

async function openFolderWriter(path: string): Promise<FileWriter> {
  const handle = await machine.files.create(path + unfinished);
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let filled = 0;
  const writeAll = async (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length;) {
      at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
    }
  };
  const flush = async () => {
    await writeAll(buffer.subarray(0, filled));
    filled = 0;
  };
  return {
    write: async (chunk) => {
      if (filled + chunk.length > bufferBytes) await flush();
      if (chunk.length > bufferBytes) return writeAll(chunk);
      buffer.set(chunk, filled);
      filled += chunk.length;
    },
    finish: async () => {
      await flush();
      await handle.sync();
      await handle.close();
      await machine.files.rename(path + unfinished, path);
      // Some file systems cannot sync a folder, and need not.
      await machine.files.syncFolder(dirname(path)).catch(() => undefined);
    },
    abort: async () => {
      await handle.close().catch(() => undefined);
      await removeBoth(path);
    },
  };
}

async function removeBoth(path: string): Promise<void> {
  await machine.files.remove(path);
  await machine.files.remove(path + unfinished);
}

async function* listFolder(folder: string): AsyncGenerator<readonly ListedFile[]> {
  const opened = await machine.openFolder(folder).catch(orMissing);
  if (!opened) return;
  let page: ListedFile[] = [];
  for await (const entry of opened) {
    const found = await machine.files.stat(join(folder, entry.name)).catch(orMissing);
    if (!found?.isFile()) continue;
    const name = entry.name.replace(/\.part$/, '');
    page.push({ name, modifiedAt: found.mtimeMs });
    if (page.length < pageFiles) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** Rethrows any error except that there is no such file. */
export function orMissing(error: unknown): undefined {
  const { code } = error as { code?: string };
  if (code !== 'ENOENT' && code !== 'NoSuchKey' && code !== 'NotFound') throw error;
}
