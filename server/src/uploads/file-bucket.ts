// Files in a bucket of any S3-compatible store, through Bun's own client.
import type { S3Client } from 'bun';
import type { BucketSettings } from '../settings/index.ts';
import { FilesUnavailable } from './file-store.ts';
import type { FileStore, FileWriter, ListedFile, UnfinishedFile } from './file-store.ts';
import { withTimeLimit } from '../platform/clock.ts';
import { machine } from '../platform/machine.ts';
import { openUnfinishedParts } from './unfinished-parts.ts';

/** The smallest part that S3 accepts. A part is in memory until it is sent. */
const partBytes = 5 * 1024 * 1024;
const retries = 3;
/** The client itself has no time limits. */
const timeLimits = { answerMs: 15_000, partMs: 30_000 };
type TimeLimits = typeof timeLimits;
const pageFiles = 500;

export function openFileBucket(settings: BucketSettings, limits = timeLimits): FileStore {
  const { bucket, prefix, endpoint, region, session_token } = settings;
  const client = machine.openS3({
    bucket,
    accessKeyId: settings.access_key_id,
    secretAccessKey: settings.secret_access_key,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(session_token === undefined ? {} : { sessionToken: session_token }),
  });
  const unfinished = () => openUnfinishedParts(settings, sign('host', 1), `${prefix}host`);
  const sign = (name: string, expiresInS: number) =>
    client.presign(prefix + name, { method: 'GET', expiresIn: expiresInS });
  return {
    kind: 'bucket',
    create: (name, type) => Promise.resolve(openWriter(client, prefix + name, type, limits)),
    find: async (name) => {
      const file = client.file(prefix + name);
      const found = await limited('find a file', limits.answerMs, () =>
        file.stat().catch(orMissing),
      );
      if (!found) return undefined;
      const read = (start = 0, end = found.size) => streamOf(file.slice(start, end), end - start);
      return { bytes: found.size, read, stream: () => read() };
    },
    delete: (name) => remove(client, prefix + name, limits),
    list: () => listBucket(client, prefix, limits),
    listUnfinished: () => listUnfinished(unfinished(), prefix),
    sign,
    host: new URL(sign('host', 1)).hostname,
  };
}

function openWriter(client: S3Client, key: string, type: string, limits: TimeLimits): FileWriter {
  const writer = client.file(key).writer({
    type,
    retry: retries,
    partSize: partBytes,
    queueSize: 1,
  });
  let [pending, bytes] = [0, 0];
  const store = (work: () => Promise<unknown>, limitMs = limits.partMs) =>
    limited('store a file', limitMs, work);
  return {
    write: async (chunk) => {
      const { length } = chunk;
      // A copy, because the client sends it later, when the memory of the chunk is already
      // released.
      await store(async () => writer.write(new Uint8Array(chunk)));
      pending += length;
      bytes += length;
      if (pending < partBytes) return;
      pending = 0;
      await store(async () => writer.flush());
    },
    finish: async () => {
      await store(async () => writer.end());
      // Some stores report an error in a response with status 200.
      const stored = await limited('find a file', limits.answerMs, () => client.stat(key));
      if (stored.size !== bytes) throw new FilesUnavailable('the bucket stored another size');
    },
    abort: async () => {
      // The client cannot cancel a multipart upload, so it is completed and then deleted.
      await store(async () => writer.end(), limits.answerMs).catch(() => undefined);
      await remove(client, key, limits);
    },
  };
}

function remove(client: S3Client, key: string, { answerMs }: TimeLimits): Promise<void> {
  return limited('delete a file', answerMs, () => client.delete(key).catch(orMissing));
}

/** An error of the store may repeat what was sent to it, so only its code is kept. */
async function limited<T>(what: string, limitMs: number, work: () => Promise<T>): Promise<T> {
  const late = () => new FilesUnavailable(`the bucket did not ${what} within ${limitMs} ms`);
  return withTimeLimit(work(), limitMs, late).catch((error: unknown) => {
    if (error instanceof FilesUnavailable) throw error;
    const { code } = error as { code?: unknown };
    const reason = /^(?:[A-Z][A-Za-z]{2,39}|ERR_[A-Z0-9_]{1,40})$/.exec(String(code))?.[0];
    throw new FilesUnavailable(`the bucket could not ${what} (${reason ?? 'no known reason'})`);
  });
}

/**
 * Fails unless the store sends exactly these bytes. A response whose body is the client's own
 * stream would become a redirect.
 */
function streamOf(file: Bun.S3File, bytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = exactly(file.stream(), bytes);
  return new ReadableStream({
    pull: async (sink) => {
      const next = await chunks.next();
      if (next.done === true) sink.close();
      else sink.enqueue(next.value);
    },
    cancel: async () => void (await chunks.return(undefined)),
  });
}

async function* exactly(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  bytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytes) break;
    yield chunk;
  }
  if (size !== bytes) throw new FilesUnavailable('the bucket sent a file of another size');
}

async function* listBucket(
  client: S3Client,
  prefix: string,
  limits: TimeLimits,
): AsyncGenerator<readonly ListedFile[]> {
  let after: string | undefined;
  do {
    const next = after === undefined ? {} : { startAfter: after };
    const page = await limited('list the files', limits.partMs, () =>
      client.list({ prefix, maxKeys: pageFiles, ...next }),
    );
    const files = page.contents ?? [];
    yield files.map(({ key, lastModified }) => ({
      name: key.slice(prefix.length),
      modifiedAt: lastModified === undefined ? 0 : new Date(lastModified).getTime(),
    }));
    after = page.isTruncated === true ? files.at(-1)?.key : undefined;
  } while (after !== undefined);
}

async function* listUnfinished(
  parts: ReturnType<typeof openUnfinishedParts>,
  prefix: string,
): AsyncGenerator<readonly UnfinishedFile[]> {
  for await (const page of parts.list()) {
    yield page
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ key, startedAt, ...one }) => ({
        name: key.slice(prefix.length),
        startedAt,
        delete: () => parts.abort({ key, ...one }),
      }));
  }
}

function orMissing(error: unknown): undefined {
  const { code } = error as { code?: string };
  if (code !== 'NoSuchKey' && code !== 'NotFound') throw error;
}
