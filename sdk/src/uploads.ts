// Uploads: a recording from memory, a stream or a disk, sent without holding it in memory.
import type { Upload, UploadDeleted } from '@trivium/contract';
import { apiPromise } from './api-promise.ts';
import type { ApiPromise } from './api-promise.ts';
import { ConfigurationError } from './errors.ts';
import { send } from './send.ts';
import type { ApiResponse, Transport } from './send.ts';
import type { CallOptions } from './options.ts';

/** The bytes, a stream of them, or the path of a file where the program runs in Node.js or Bun. */
export type UploadSource = Blob | ReadableStream<Uint8Array> | string;

export interface UploadOptions extends CallOptions {
  /** Called with what was sent so far, and with the size where it is known. */
  on_progress?: ((sentBytes: number, totalBytes: number | undefined) => void) | undefined;
}

export interface Uploads {
  create: (source: UploadSource, options?: UploadOptions) => ApiPromise<Upload>;
  get: (id: string, options?: CallOptions) => ApiPromise<Upload>;
  delete: (id: string, options?: CallOptions) => ApiPromise<UploadDeleted>;
}

/** A large file on a slow connection takes hours. */
const uploadLimitMs = 12 * 60 * 60_000;
const shape = { id: 'string', audio_url: 'string', bytes: 'number' } as const;

export function uploadsOf(transport: Transport): Uploads {
  const pathOf = (id: string) => `/v1/uploads/${encodeURIComponent(id)}`;
  return {
    create: (source, options) => apiPromise(createUpload(transport, source, options)),
    get: (id, rest) =>
      apiPromise(send<Upload>(transport, { method: 'GET', path: pathOf(id), shape, ...rest })),
    delete: (id, rest) => {
      const call = { method: 'DELETE', path: pathOf(id), shape: { id: 'string' } } as const;
      return apiPromise(send<UploadDeleted>(transport, { ...call, ...rest }));
    },
  };
}

async function createUpload(
  transport: Transport,
  source: UploadSource,
  { on_progress, timeout_ms = uploadLimitMs, signal }: UploadOptions = {},
): Promise<ApiResponse<Upload>> {
  const body = typeof source === 'string' ? await openFile(source) : source;
  const total = body instanceof Blob ? body.size : undefined;
  const file = on_progress ? counted(streamOf(body), (sent) => on_progress(sent, total)) : body;
  return send<Upload>(transport, {
    method: 'POST',
    path: '/v1/uploads',
    shape,
    file,
    timeout_ms,
    signal,
  });
}

function streamOf(body: Blob | ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return body instanceof Blob ? body.stream() : body;
}

function counted(
  stream: ReadableStream<Uint8Array>,
  report: (sent: number) => void,
): ReadableStream<Uint8Array> {
  let sent = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        sent += chunk.length;
        report(sent);
        controller.enqueue(chunk);
      },
    }),
  );
}

/** The file is read while it is sent. Browsers have no paths, and bundlers must not look for it. */
async function openFile(path: string): Promise<Blob> {
  const name = 'node:fs';
  const files = (await import(name).catch(() => undefined)) as
    | { openAsBlob?: (path: string) => Promise<Blob> }
    | undefined;
  if (files?.openAsBlob === undefined) {
    throw new ConfigurationError('A path needs Node.js or Bun. In a browser, pass a File.');
  }
  return files.openAsBlob(path);
}
