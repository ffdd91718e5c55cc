// Where uploads are in the simulation: files of a folder, and a bucket. What a process has written
// survives its kill; a power loss takes what was not synced, and names that were not synced.
import { basename, dirname } from 'node:path';
import type { Machine } from '../../../src/platform/machine.ts';
import type { Random } from '../seeded-random.ts';
import type { Life, Scheduler } from './scheduler.ts';

export interface SimulatedFiles {
  ofProcess: (own: () => Life) => Pick<Machine, 'files' | 'openFolder'>;
  openS3: (life: Life, options: Bun.S3Options) => Bun.S3Client;
  losePower: () => void;
  /** What is in the folder and in the bucket. */
  list: () => { name: string; bytes: number; writtenAt: number }[];
  /** Uploads in parts that were begun in the bucket, and not completed. */
  listUnfinished: () => Unfinished[];
  /** What the bucket answers to a request that Bun's client has no method for. */
  answer: (method: string, url: URL) => { status: number; text: string };
  /** How the bucket behaves at the moment: the share of its operations that fail or hang. */
  bucket: { failShare: number };
}

interface Unfinished {
  key: string;
  startedAt: number;
}

interface OneFile {
  bytes: Buffer;
  /** The memory of its bytes, and of those that may follow. */
  room?: Buffer;
  writtenAt: number;
  isSynced: boolean;
  /** Its name before a rename that was not synced. */
  was?: string;
}

/** The world began at `epochMs`. */
export function makeFiles(
  epochMs: number,
  scheduler: Scheduler,
  random: Random,
  disk: { isFull: boolean },
  happened: (kind: 'bucket_fails') => void,
): SimulatedFiles {
  const files = new Map<string, OneFile>();
  const objects = new Map<string, OneFile>();
  const unfinished = new Map<string, Unfinished>();
  let uploads = 0;
  const bucket = { failShare: 0 };
  const later = <T>(life: Life, ms: number, work: () => T): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    scheduler.after(ms, life, () => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
    return promise;
  };
  const found = (path: string): OneFile => {
    const file = files.get(path);
    if (!file) throw withCode('there is no such file', 'ENOENT');
    return file;
  };
  return {
    bucket,
    ofProcess: (own) => {
      const onDisk = <T>(work: () => T) => later(own(), 0.05 + random() * 0.5, work);
      return {
        openFolder: (path) => {
          const names = [...files.keys()].filter((file) => dirname(file) === path);
          if (names.length === 0)
            return Promise.reject(withCode('there is no such folder', 'ENOENT'));
          const entries = names.map((name) => ({ name: basename(name) }));
          return onDisk(() => inTurn(entries)) as unknown as ReturnType<Machine['openFolder']>;
        },
        files: {
          makeFolder: () => onDisk(() => undefined),
          create: (path) =>
            onDisk(() => {
              if (disk.isFull) throw withCode('no space left on device', 'ENOSPC');
              if (files.has(path)) throw withCode('the file exists', 'EEXIST');
              const file = newFile(Buffer.alloc(0), scheduler.now());
              files.set(path, file);
              return {
                write: (bytes: Uint8Array, at: number, length: number) =>
                  onDisk(() => {
                    if (disk.isFull) throw withCode('no space left on device', 'ENOSPC');
                    append(file, bytes.subarray(at, at + length));
                    file.isSynced = false;
                    return { bytesWritten: length };
                  }),
                sync: () => onDisk(() => void (file.isSynced = true)),
                close: () => onDisk(() => undefined),
              };
            }),
          stat: (path) =>
            onDisk(() => {
              const { bytes, writtenAt } = found(path);
              return { size: bytes.length, mtimeMs: epochMs + writtenAt, isFile: () => true };
            }),
          rename: (from, to) =>
            onDisk(() => {
              files.set(to, { ...found(from), was: from });
              files.delete(from);
            }),
          remove: (path) => onDisk(() => void files.delete(path)),
          syncFolder: (folder) =>
            onDisk(() => {
              for (const [path, file] of files) if (dirname(path) === folder) delete file.was;
            }),
          read: (path) => new Blob([new Uint8Array(found(path).bytes)]),
        },
      };
    },
    openS3: (life, { bucket: name = '' }) => {
      const onServer = <T>(work: () => T): Promise<T> => {
        const fails = bucket.failShare > 0 && random() < bucket.failShare;
        if (fails) happened('bucket_fails');
        // Some store nothing, some store and say that they did not, and some never answer.
        const how = fails ? random() : 1;
        return later(life, how < 0.1 ? Infinity : 1 + random() * 60, () => {
          const result = how < 0.5 ? undefined : work();
          if (fails) throw withCode('try again', how < 0.3 ? 'SlowDown' : 'InternalError');
          return result as T;
        });
      };
      const object = (key: string): OneFile => {
        const stored = objects.get(key);
        if (!stored) throw withCode('there is no such object', 'NoSuchKey');
        return stored;
      };
      const stat = (key: string) => onServer(() => ({ size: object(key).bytes.length }));
      const file = (key: string) => {
        const writer = ({ partSize = Infinity }: { partSize?: number } = {}) => {
          const parts: Uint8Array[] = [];
          let [unsent, id] = [0, ''];
          return {
            write: (part: Uint8Array) => {
              unsent += part.length;
              return parts.push(part);
            },
            // What is shorter than a part is sent at the end, in one piece.
            flush: () => {
              if (unsent < partSize) return onServer(() => undefined);
              if (id === '') id = `upload-${(uploads += 1)}`;
              unsent = 0;
              const startedAt = unfinished.get(id)?.startedAt ?? scheduler.now();
              return onServer(() => void unfinished.set(id, { key, startedAt }));
            },
            end: () =>
              onServer(() => {
                unfinished.delete(id);
                const stored = newFile(Buffer.concat(parts), scheduler.now());
                objects.set(key, { ...stored, isSynced: true });
              }),
          };
        };
        return {
          writer,
          stat: () => stat(key),
          slice: (start: number, end: number) => ({
            stream: () => onceReady(onServer(() => object(key).bytes.subarray(start, end))),
          }),
        };
      };
      const list = ({ prefix = '' }: { prefix?: string }) =>
        onServer(() => ({
          isTruncated: false,
          contents: [...objects]
            .filter(([key]) => key.startsWith(prefix))
            .map(([key, { writtenAt }]) => ({
              key,
              lastModified: new Date(epochMs + writtenAt).toISOString(),
            })),
        }));
      const presign = (key: string) =>
        `https://${bucketHost}/${name}/${key}?X-Amz-Credential=simulated%2F20260101%2Fus-east-1%2Fs3`;
      const remove = (key: string) => onServer(() => void objects.delete(key));
      return { file, stat, list, presign, delete: remove } as unknown as Bun.S3Client;
    },
    losePower: () => {
      for (const [path, file] of [...files]) {
        if (!file.isSynced) [file.bytes, file.room] = [Buffer.alloc(0), Buffer.alloc(0)];
        if (file.was === undefined) continue;
        files.delete(path);
        files.set(file.was, file);
        delete file.was;
      }
    },
    listUnfinished: () => [...unfinished.values()],
    answer: (method, url) => {
      if (bucket.failShare > 0 && random() < bucket.failShare) {
        happened('bucket_fails');
        return { status: 503, text: '' };
      }
      if (method === 'DELETE') {
        const isKnown = unfinished.delete(url.searchParams.get('uploadId') ?? '');
        return { status: isKnown ? 204 : 404, text: '' };
      }
      const listed = [...unfinished].map(([id, { key, startedAt }]) => {
        const time = new Date(epochMs + startedAt).toISOString();
        return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${time}</Initiated></Upload>`;
      });
      const text = `<IsTruncated>false</IsTruncated>${listed.join('')}`;
      return {
        status: 200,
        text: `<ListMultipartUploadsResult>${text}</ListMultipartUploadsResult>`,
      };
    },
    list: () =>
      [...files, ...objects].map(([path, { bytes, writtenAt }]) => ({
        ...{ name: basename(path), bytes: bytes.length, writtenAt },
      })),
  };
}

export const bucketHost = 'bucket.example';

function append(file: OneFile, more: Uint8Array): void {
  const { length } = file.bytes;
  const needed = length + more.length;
  let room = file.room ?? file.bytes;
  if (room.length < needed) {
    room = Buffer.alloc(2 * needed);
    file.bytes.copy(room);
  }
  room.set(more, length);
  [file.room, file.bytes] = [room, room.subarray(0, needed)];
}

function newFile(bytes: Buffer, writtenAt: number): OneFile {
  return { bytes, writtenAt, isSynced: false };
}

function withCode(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}

async function* inTurn<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function* onceReady(bytes: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await bytes);
}
