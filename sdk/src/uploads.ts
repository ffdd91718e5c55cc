// Uploads: a recording from memory, a stream or a disk, sent without holding it in memory. Browsers
// do not stream request bodies, so there a stream first becomes a Blob, which they keep on disk.
import type { Upload, UploadDeleted } from '@trivium/contract';
import { apiPromise } from './api-promise.ts';
import type { ApiPromise } from './api-promise.ts';
import { isBrowser } from './environment.ts';
import { ConfigurationError } from './errors.ts';
import { optionsOf } from './names.ts';
import type { EitherOption } from './names.ts';
import { send } from './send.ts';
import type { ApiResponse, Call, Shape, Transport } from './send.ts';
import type { CallOptions } from './options.ts';

/** The bytes, a stream of bytes, or in Node.js and Bun the path of a file. */
export type UploadSource = Blob | ReadableStream<Uint8Array> | string;

export interface UploadOptions extends CallOptions {
  /**
   * Called with the number of bytes sent so far, and with the size if it is known. The fetch of a
   * browser reports no progress, so there it is called once, at the end.
   */
  onProgress?: ((sentBytes: number, totalBytes: number | undefined) => void) | undefined;
}

export interface Uploads {
  create: (source: UploadSource, options?: EitherOption<UploadOptions>) => ApiPromise<Upload>;
  get: (id: string, options?: EitherOption<CallOptions>) => ApiPromise<Upload>;
  delete: (id: string, options?: EitherOption<CallOptions>) => ApiPromise<UploadDeleted>;
}

/** A large file on a slow connection takes hours. */
const uploadLimitMs = 12 * 60 * 60_000;
const shape = { id: 'string', audio_url: 'string', bytes: 'number' } as const;

export function uploadsOf(transport: Transport): Uploads {
  const call = <T>(
    method: Call['method'],
    id: string,
    needs: Shape,
    rest?: EitherOption<CallOptions>,
  ) => {
    const path = `/v1/uploads/${encodeURIComponent(id)}`;
    return apiPromise(send<T>(transport, { method, path, shape: needs, ...optionsOf(rest) }));
  };
  return {
    create: (source, rest) => apiPromise(createUpload(transport, source, optionsOf(rest))),
    get: (id, rest) => call('GET', id, shape, rest),
    delete: (id, rest) => call('DELETE', id, { id: 'string' }, rest),
  };
}

async function createUpload(
  transport: Transport,
  source: UploadSource,
  { onProgress, timeoutMs = uploadLimitMs, ...rest }: UploadOptions,
): Promise<ApiResponse<Upload>> {
  const given = typeof source === 'string' ? await openFile(source) : source;
  const isWhole = isBrowser();
  const body = isWhole && !(given instanceof Blob) ? await new Response(given).blob() : given;
  const total = body instanceof Blob ? body.size : undefined;
  const report = (sent: number) => onProgress?.(sent, total);
  const file = onProgress && !isWhole ? counted(streamOf(body), report) : body;
  const call = { method: 'POST', path: '/v1/uploads', shape, file, timeoutMs } as const;
  const headers = { ...dispositionOf(source), ...rest.headers };
  const response = await send<Upload>(transport, { ...call, ...rest, headers });
  if (isWhole) report(response.data.bytes);
  return response;
}

/** The name of the file, for people who look at the job. */
function dispositionOf(source: UploadSource): Record<string, string> {
  const { name } = source as { name?: unknown };
  const given = typeof source === 'string' ? source.split(/[/\\]/).at(-1) : name;
  if (typeof given !== 'string' || given === '') return {};
  const encoded = encodeURIComponent(given.toWellFormed());
  return { 'content-disposition': `attachment; filename*=UTF-8''${encoded}` };
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

/**
 * The file is read while it is sent. Bundlers must not resolve this import, because browsers lack
 * it.
 */
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
