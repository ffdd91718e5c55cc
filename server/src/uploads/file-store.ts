// Where callers' files are stored: one interface for a folder and a bucket.

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
