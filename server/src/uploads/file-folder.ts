// Files in a folder of the data directory. A file gets its final name when it is complete and on disk:
// an upload that was acknowledged must survive a power loss.
import { dirname, join } from 'node:path';
import type { FileStore, FileWriter, ListedFile, StoredFile } from './file-store.ts';
import { machine } from '../platform/machine.ts';

/** Chunks are combined, because each write costs a switch to another thread. */
const bufferBytes = 512 * 1024;
const pageFiles = 500;
const unfinished = '.part';

export function openFileFolder(folder: string): FileStore {
  const pathOf = (name: string) => join(folder, name);
  return {
    kind: 'folder',
    create: async (name) => {
      await machine.files.makeFolder(folder);
      return openWriter(pathOf(name));
    },
    find: async (name) => {
      const found = await machine.files.stat(pathOf(name)).catch(orMissing);
      return found && storedFile(pathOf(name), found.size);
    },
    delete: (name) => removeBoth(pathOf(name)),
    list: () => listFolder(folder),
  };
}

async function openWriter(path: string): Promise<FileWriter> {
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

function storedFile(path: string, bytes: number): StoredFile {
  return {
    bytes,
    read: (start = 0, end = bytes) => machine.files.read(path).slice(start, end),
    stream: () => machine.files.read(path).stream(),
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
    page.push({ name: nameOf(entry.name), modifiedAt: found.mtimeMs });
    if (page.length < pageFiles) continue;
    yield page;
    page = [];
  }
  yield page;
}

function nameOf(entry: string): string {
  return entry.endsWith(unfinished) ? entry.slice(0, -unfinished.length) : entry;
}

function orMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
