// Receives an upload: recognises its type, counts its bytes while it streams to storage, and
// records it when it is complete. A failed upload leaves nothing behind.
import { GatewayError, invalidPart, tryLater } from '@trivium/contract';
import { dayMs, minuteMs } from '@trivium/contract/durations';
import { makeOwnerLimiter, runLimited } from '../platform/concurrency-limiter.ts';
import { newId } from '../platform/ids.ts';
import { passThrough } from '../platform/streams.ts';
import { type Caller, storableText, storageFull } from '../requests/index.ts';
import type { UploadContext } from './context.ts';
import { sniffMedia, sniffedBytes } from './core/media-type.ts';
import { type StoredUpload, countUploads, insertUploads } from './store/uploads.ts';

/** How long an upload is kept, unless a job needs it. */
export const uploadLifeMs = dayMs;
/** For an upload that only its own request uses: the job begins as soon as the file has arrived. */
export const requestUploadLifeMs = 10 * minuteMs;
/** On average, which a slow mobile connection reaches. A slower upload is aborted. */
export const slowestBytesPerSecond = 32 * 1024;

/** More concurrent uploads are refused, because each occupies a connection for a long time. */
const maxReceiving = 8;
export function makeReceiving(): UploadContext['receiving'] {
  return { names: new Set(), limiter: makeOwnerLimiter('uploads', maxReceiving) };
}

/** How many uploads an account may keep. They are deleted with their jobs, or after a day. */
const maxUploads = 1000;

/** How long a dead gateway is still counted; see billing/shared/gateway-beats.ts. */
const deadAfterS = 10;

const bytesPerMb = 1024 * 1024;

export function maxUploadBytes({ settings }: UploadContext): number {
  return settings.max_upload_mb * bytesPerMb;
}

/** `name`: as the caller named the file. */
type Store = (chunks: AsyncIterable<Uint8Array>, name?: string) => Promise<StoredUpload>;

/**
 * Calls `receive` with a function that stores the chunks of one file. The account counts as
 * uploading until `receive` has ended.
 */
export async function whileReceiving<T>(
  context: UploadContext,
  caller: Caller,
  lifeMs: number,
  receive: (store: Store) => Promise<T>,
): Promise<T> {
  checkDisk(context);
  const { account_id: accountId } = caller;
  const refusal = () => tooManyUploads(`${maxReceiving} uploads of this account are in progress`);
  return runLimited(context.receiving.limiter, accountId, refusal, async () => {
    await context.checkCaller(caller);
    await checkReachable(context);
    if ((await countUploads(context.database, accountId)) >= maxUploads) {
      throw tooManyUploads(
        `This account has ${maxUploads} uploads, which is the limit. Delete some`,
      );
    }
    return await receive((chunks, name) =>
      storeUpload(context, caller, { lifeMs, name: fileName(name) }, chunks),
    );
  });
}

const maxNameChars = 200;

/** Without folders and control characters. */
function fileName(given = ''): string | null {
  const [name = ''] = given.split(/[/\\]/).slice(-1);
  return (
    storableText(name.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '').trim(), maxNameChars) || null
  );
}

function checkDisk({ files, hasRoom }: UploadContext): void {
  if (files.kind === 'bucket' || hasRoom()) return;
  const message =
    'The disk of this gateway is nearly full, so it accepts no uploads at the moment. Try later.';
  throw tryLater('provider_not_available', message, 5);
}

/** Gateways that share a store do not share a folder, so another one could not read the file. */
async function checkReachable({ database, files, countGateways }: UploadContext): Promise<void> {
  if (files.kind === 'bucket' || database.engine === 'sqlite') return;
  if ((await countGateways()) <= 1) return;
  const message =
    'Several gateways share this store, and an upload would be on the disk of only one of ' +
    'them. The operator must set TRIVIUM_S3_URL to the same value on every gateway. A ' +
    `gateway that was killed still counts for about ${deadAfterS} seconds.`;
  throw tryLater('provider_not_available', message, deadAfterS);
}

async function storeUpload(
  context: UploadContext,
  caller: Caller,
  { lifeMs, name }: { lifeMs: number; name: string | null },
  chunks: AsyncIterable<Uint8Array>,
): Promise<StoredUpload> {
  const { database, clock, receiving, stored } = context;
  const { account_id: accountId } = caller;
  const id = newId('upl');
  receiving.names.add(id);
  let arrived = 0;
  const count = ({ length }: Uint8Array) => {
    arrived += length;
    stored?.receive(accountId, length);
    if (stored && !stored.hasRoom(caller, 0)) throw storageFull(stored.maxBytes(caller));
  };
  try {
    const { type, bytes } = await storeFile(context, id, passThrough(chunks, count));
    const now = clock.now().getTime();
    const seconds = await measure(context, id, type);
    const times = { created_at: now, expires_at: now + lifeMs };
    const upload: StoredUpload = {
      id,
      account_id: accountId,
      type,
      bytes,
      seconds,
      name,
      ...times,
    };
    await insertUploads(database, [upload]).catch(async (error: unknown) => {
      await context.files.delete(id);
      throw error;
    });
    stored?.add(accountId, bytes);
    return upload;
  } finally {
    stored?.receive(accountId, -arrived);
    receiving.names.delete(id);
  }
}

/** A file whose length cannot be read is accepted, with an unknown length. */
async function measure(
  { files, lengths, log }: UploadContext,
  id: string,
  type: string,
): Promise<number | null> {
  try {
    const file = await files.find(id);
    return file ? await lengths.read(file, type) : null;
  } catch (error) {
    log.warn({ err: error, upload: id }, 'the length of an upload could not be read');
    return null;
  }
}

async function storeFile(
  context: UploadContext,
  id: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ type: string; bytes: number }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const { head, ended } = await readHead(iterator);
  if (head.length === 0) throw invalidPart('file', 'empty', 'The file is empty.');
  const type = sniffMedia(head);
  if (type === undefined) {
    const message = 'The file is neither audio nor video that a provider can read.';
    throw invalidPart('file', 'not_media', message);
  }
  const writer = await context.files.create(id, type).catch(asFull);
  const limit = maxUploadBytes(context);
  let bytes = 0;
  const take = async (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > limit) throw tooLarge(context);
    await writer.write(chunk).catch(asFull);
  };
  try {
    await take(head);
    while (!ended) {
      const next = await iterator.next();
      if (next.done === true) break;
      await take(next.value);
    }
    await writer.finish().catch(asFull);
    return { type, bytes };
  } catch (error) {
    await writer.abort().catch((trouble: unknown) => {
      context.log.warn({ err: trouble, upload: id }, 'a failed upload is left to the sweep');
    });
    throw error;
  }
}

/** The first chunks, joined until the type can be recognised. */
async function readHead(
  iterator: AsyncIterator<Uint8Array>,
): Promise<{ head: Uint8Array; ended: boolean }> {
  const first: Uint8Array[] = [];
  let size = 0;
  while (size < sniffedBytes) {
    const next = await iterator.next();
    if (next.done === true) return { head: Buffer.concat(first), ended: true };
    // A copy, because the memory of a chunk is released once the next one is read.
    first.push(new Uint8Array(next.value));
    size += next.value.length;
  }
  return { head: Buffer.concat(first), ended: false };
}

function asFull(error: unknown): never {
  if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
  const message =
    'The disk of the gateway is full, so the upload was not stored. Ask its operator.';
  const options = { status: 503, cause: error };
  throw new GatewayError('provider_not_available', message, undefined, options);
}

export function tooLarge({ settings }: UploadContext): GatewayError {
  const message = `The file is larger than the limit of ${settings.max_upload_mb} MiB.`;
  return new GatewayError('invalid_request', message, undefined, { status: 413 });
}

function tooManyUploads(reason: string): GatewayError {
  return tryLater('rate_limited', `${reason}. Try again later.`, 5);
}
