// Files in a bucket of any store that speaks S3, through Bun's own client.
import { S3Client } from 'bun';
import type { BucketSettings } from './bucket-setting.ts';
import type { FileStore, FileWriter, ListedFile, UnfinishedFile } from './file-store.ts';
import { openUnfinishedParts } from './unfinished-parts.ts';

/** The smallest part that S3 accepts: a part is held in memory until it is sent. */
const partBytes = 5 * 1024 * 1024;
const retries = 3;
const pageFiles = 500;

export function openFileBucket(settings: BucketSettings): FileStore {
  const { bucket, prefix, endpoint, region, session_token } = settings;
  const client = new S3Client({
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
    create: (name, type) => Promise.resolve(openWriter(client, prefix + name, type)),
    find: async (name) => {
      const file = client.file(prefix + name);
      const found = await file.stat().catch(orMissing);
      if (!found) return undefined;
      const read = (start = 0, end = found.size) => streamOf(file.slice(start, end));
      return { bytes: found.size, read, stream: () => read() };
    },
    delete: (name) => client.delete(prefix + name).catch(orMissing),
    list: () => listBucket(client, prefix),
    listUnfinished: () => listUnfinished(unfinished(), prefix),
    sign,
    host: new URL(sign('host', 1)).hostname,
  };
}

function openWriter(client: S3Client, key: string, type: string): FileWriter {
  const writer = client.file(key).writer({
    type,
    retry: retries,
    partSize: partBytes,
    queueSize: 1,
  });
  let pending = 0;
  return {
    write: async (chunk) => {
      const { length } = chunk;
      // A copy: the client sends later, when the memory of the chunk is released.
      await writer.write(new Uint8Array(chunk));
      pending += length;
      if (pending < partBytes) return;
      pending = 0;
      await writer.flush();
    },
    finish: async () => void (await writer.end()),
    abort: async () => {
      // The client cannot cancel an upload in parts: it is completed and then deleted.
      await Promise.resolve(writer.end()).catch(() => undefined);
      await client.delete(key).catch(orMissing);
    },
  };
}

/** The client's own stream would be redirected by a response that consists of it. */
function streamOf(file: Bun.S3File): ReadableStream<Uint8Array<ArrayBuffer>> {
  return file.stream();
}

async function* listBucket(
  client: S3Client,
  prefix: string,
): AsyncGenerator<readonly ListedFile[]> {
  let after: string | undefined;
  do {
    const page = await client.list({
      prefix,
      maxKeys: pageFiles,
      ...(after === undefined ? {} : { startAfter: after }),
    });
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
