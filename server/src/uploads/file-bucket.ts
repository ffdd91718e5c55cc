// Files in a bucket of any S3-compatible store, through Bun's own client. The client can neither list
// nor abort incomplete multipart uploads, so these two S3 requests are signed here.
import { AwsClient } from 'aws4fetch';
import type { S3Client } from 'bun';
import { withTimeLimit } from '../platform/clock.ts';
import { send } from '../platform/http-client.ts';
import { machine } from '../platform/machine.ts';
import { streamOf } from '../platform/streams.ts';
import type { BucketSettings } from '../settings/index.ts';
import {
  type FileStore,
  type FileWriter,
  FilesUnavailable,
  type ListedFile,
  type UnfinishedFile,
  orMissing,
  pageFiles,
} from './file-store.ts';

/** The smallest part that S3 accepts. A part is in memory until it is sent. */
const partBytes = 5 * 1024 * 1024;
const retries = 3;
/** The client itself has no time limits. */
const timeLimits = { answerMs: 15_000, partMs: 30_000 };
type BucketTimeLimits = typeof timeLimits;

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
  const sign = (name: string, expiresInS: number) =>
    client.presign(prefix + name, { method: 'GET', expiresIn: expiresInS });
  return {
    kind: 'bucket',
    create: (name, type) => Promise.resolve(openBucketWriter(client, prefix + name, type, limits)),
    find: async (name) => {
      const file = client.file(prefix + name);
      const found = await withinLimit('find a file', limits.answerMs, () =>
        file.stat().catch(orMissing),
      );
      if (!found) return undefined;
      const read = (start = 0, end = found.size) =>
        streamOf(exactly(file.slice(start, end).stream(), end - start));
      return { bytes: found.size, read, stream: () => read() };
    },
    delete: (name) => remove(client, prefix + name, limits),
    list: () => listBucket(client, prefix, limits),
    listUnfinished: () => listUnfinished(settings, sign('host', 1)),
    sign,
    host: new URL(sign('host', 1)).hostname,
  };
}

function openBucketWriter(
  client: S3Client,
  key: string,
  type: string,
  limits: BucketTimeLimits,
): FileWriter {
  const writer = client.file(key).writer({
    type,
    retry: retries,
    partSize: partBytes,
    queueSize: 1,
  });
  let [pending, bytes] = [0, 0];
  const store = (work: () => Promise<unknown>, limitMs = limits.partMs) =>
    withinLimit('store a file', limitMs, work);
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
      const stored = await withinLimit('find a file', limits.answerMs, () => client.stat(key));
      if (stored.size !== bytes) throw new FilesUnavailable('the bucket stored another size');
    },
    abort: async () => {
      // The client cannot cancel a multipart upload, so it is completed and then deleted.
      await store(async () => writer.end(), limits.answerMs).catch(() => undefined);
      await remove(client, key, limits);
    },
  };
}

function remove(client: S3Client, key: string, { answerMs }: BucketTimeLimits): Promise<void> {
  return withinLimit('delete a file', answerMs, () => client.delete(key).catch(orMissing));
}

/** An error of the store may repeat what was sent to it, so only its code is kept. */
async function withinLimit<T>(what: string, limitMs: number, work: () => Promise<T>): Promise<T> {
  const late = () => new FilesUnavailable(`the bucket did not ${what} within ${limitMs} ms`);
  return withTimeLimit(work(), limitMs, late).catch((error: unknown) => {
    if (error instanceof FilesUnavailable) throw error;
    const { code } = error as { code?: unknown };
    const reason = /^(?:[A-Z][A-Za-z]{2,39}|ERR_[A-Z0-9_]{1,40})$/.exec(String(code))?.[0];
    throw new FilesUnavailable(`the bucket could not ${what} (${reason ?? 'no known reason'})`);
  });
}

/** Fails on other bytes. A response with the client's own stream would become a redirect. */
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
  limits: BucketTimeLimits,
): AsyncGenerator<readonly ListedFile[]> {
  let after: string | undefined;
  do {
    const next = after === undefined ? {} : { startAfter: after };
    const page = await withinLimit('list the files', limits.partMs, () =>
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

interface UnfinishedUpload {
  key: string;
  uploadId: string;
  startedAt: number;
}

const listTimeoutMs = 30_000;
const maxListBytes = 4 * 1024 * 1024;
const pageUploads = 500;
/** Entries beyond this are found once the earlier ones are gone. */
const maxPages = 20;

/** `signedUrl` is the address of the object `host`, signed by Bun's client. */
async function* listUnfinished(
  { access_key_id, secret_access_key, session_token, prefix }: BucketSettings,
  signedUrl: string,
): AsyncGenerator<readonly UnfinishedFile[]> {
  const { bucketUrl, region } = bucketOf(signedUrl, `${prefix}host`);
  const signer = new AwsClient({
    ...{ accessKeyId: access_key_id, secretAccessKey: secret_access_key, service: 's3', region },
    ...(session_token === undefined ? {} : { sessionToken: session_token }),
  });
  const ask = async (method: 'GET' | 'DELETE', url: URL): Promise<string> => {
    const signed = await signer.sign(url.href, { method });
    const sent = await send({
      ...{ url: signed.url, method, headers: Object.fromEntries(signed.headers) },
      ...{ timeout_ms: listTimeoutMs, maxBytes: maxListBytes },
    });
    if (!sent.ok) throw new Error(`the bucket did not answer: ${sent.message}`);
    // An error of the store may repeat what was sent to it.
    const isGone = method === 'DELETE' && sent.status === 404;
    if (sent.status >= 300 && !isGone) throw new Error(`the bucket answered ${sent.status}`);
    return sent.text;
  };
  const abort = async ({ key, uploadId }: UnfinishedUpload): Promise<void> => {
    const url = new URL(key.split('/').map(encodeURIComponent).join('/'), bucketUrl);
    url.searchParams.set('uploadId', uploadId);
    await ask('DELETE', url);
  };
  let after: UnfinishedUpload | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { uploads, hasMore } = readList(await ask('GET', listUrl(bucketUrl, prefix, after)));
    yield uploads
      .filter(({ key }) => key.startsWith(prefix))
      .map((one) => ({
        name: one.key.slice(prefix.length),
        startedAt: one.startedAt,
        delete: () => abort(one),
      }));
    after = uploads.at(-1);
    if (!hasMore || !after) return;
  }
}

/** The address of the bucket as Bun's client writes it, and the region that it has chosen. */
function bucketOf(signedUrl: string, key: string): { bucketUrl: URL; region: string } {
  const url = new URL(signedUrl);
  const region = (url.searchParams.get('X-Amz-Credential') ?? '').split('/')[2] ?? 'us-east-1';
  return { bucketUrl: new URL(url.pathname.slice(0, -key.length), url.origin), region };
}

function listUrl(bucketUrl: URL, prefix: string, after: UnfinishedUpload | undefined): URL {
  const url = new URL(bucketUrl.href.replace(/\/$/, ''));
  url.search = 'uploads=';
  url.searchParams.set('prefix', prefix);
  url.searchParams.set('max-uploads', String(pageUploads));
  if (after) {
    url.searchParams.set('key-marker', after.key);
    url.searchParams.set('upload-id-marker', after.uploadId);
  }
  return url;
}

function readList(xml: string): { uploads: UnfinishedUpload[]; hasMore: boolean } {
  const uploads = elementsIn(xml, 'Upload').flatMap((inner) => {
    const [key, uploadId, startedAt] = ['Key', 'UploadId', 'Initiated'].map((tag) =>
      textIn(inner, tag),
    );
    const time = Date.parse(startedAt ?? '');
    if (key === undefined || uploadId === undefined || Number.isNaN(time)) return [];
    return { key, uploadId, startedAt: time };
  });
  return { uploads, hasMore: textIn(xml, 'IsTruncated') === 'true' };
}

function textIn(xml: string, tag: string): string | undefined {
  const [inner] = elementsIn(xml, tag, 1);
  return inner === undefined ? undefined : unescapeXml(inner);
}

/** Takes linear time in the length of the text, whatever the store wrote. */
function elementsIn(xml: string, tag: string, max = Infinity): string[] {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  const found: string[] = [];
  for (let at = 0; found.length < max;) {
    const start = xml.indexOf(open, at);
    const end = start === -1 ? -1 : xml.indexOf(close, start);
    if (end === -1) break;
    found.push(xml.slice(start + open.length, end));
    at = end + close.length;
  }
  return found;
}

const entities: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' },
};

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity);
}
