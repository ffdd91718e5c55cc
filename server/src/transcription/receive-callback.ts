// Receives a provider's callback: authenticates it, stores it as received, and only then answers. A
// worker reads it afterwards. Limits of size and time keep unauthenticated senders from blocking
// genuine callbacks.
import { GatewayError, type TranscriberId, tryLater } from '@trivium/contract';
import { withTimeLimit } from '../platform/clock.ts';
import { newId, openSignature, sameText } from '../platform/ids.ts';
import { machine } from '../platform/machine.ts';
import { redactorOf } from '../upstream/index.ts';
import {
  type JobContext,
  type UnprovenBody,
  attemptSecret,
  callableProviderOf,
  productOf,
  readCallbackToken,
} from './job-context.ts';
import { deleteText, hasMostUnread, insertCallback, insertParts } from './store/callbacks.ts';
import { findJob, lockJobs } from './store/jobs.ts';

interface CallbackRequest {
  provider: TranscriberId;
  /** Read from the path. Absent if the vendor calls a fixed URL. */
  token?: string;
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
}

interface Named {
  job_id: string;
  attempt: number;
}

const charsPerPart = 128 * 1024;
/** Longer than any token with its name. */
const overlapChars = 200;

export async function receiveCallback(
  context: JobContext,
  callback: CallbackRequest,
): Promise<void> {
  const { fixed_address, proof } = productOf(context, callback.provider).callback;
  if (fixed_address !== (callback.token === undefined)) throw notFound();
  if (proof.kind === 'signed_body') return receiveSigned(context, callback, proof);
  const named = readCallbackToken(context.secret, callback.token ?? '');
  if (!named) throw notFound();
  const expected =
    proof.kind === 'attempt_secret'
      ? attemptSecret(context.secret, `${named.job_id}.${named.attempt}`)
      : context.settings.extras[proof.setting];
  const given = callback.headers.get(proof.header) ?? '';
  if (expected !== undefined && !expected.split(',').some((one) => sameText(given, one.trim()))) {
    throw notFound();
  }
  refuseLongBody(callback.headers);
  const chunks = chunksInTime(callback.body, authenticatedTimeouts);
  await storeAndRecord(context, callback.provider, named, chunks);
}

/** Buffers the body until its signature is verified. Nothing is stored before that. */
async function receiveSigned(
  context: JobContext,
  { provider, headers, body }: CallbackRequest,
  proof: { header: string; setting: string; tolerance_s: number },
): Promise<void> {
  const { settings, clock } = context;
  const secret = settings.extras[proof.setting];
  const nowS = clock.now().getTime() / 1000;
  const sign = headers.get(proof.header) ?? '';
  const signature = openSignature(sign, secret ?? '', nowS, proof.tolerance_s);
  if (!signature || secret === undefined) throw notFound();
  refuseLongBody(headers);
  const unproven = context.unproven.enter();
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of chunksInTime(body, unauthenticatedTimeouts, unproven.cut)) {
      unproven.keep(chunk);
      signature.add(chunk);
      chunks.push(chunk);
    }
    if (!signature.fits()) throw notFound();
    const named = await jobIn(context, provider, chunks);
    if (!named) throw notFound();
    await storeAndRecord(context, provider, named, chunks);
  } finally {
    unproven.leave();
  }
}

/** Searches piece by piece. The end of each piece is searched again with the next one. */
async function jobIn(
  context: JobContext,
  provider: TranscriberId,
  chunks: readonly Uint8Array[],
): Promise<Named | undefined> {
  const { tokenIn } = productOf(context, provider);
  let [token, overlap]: [string | undefined, string] = [undefined, ''];
  for await (const text of textsOf(chunks)) {
    token = tokenIn?.(overlap + text);
    if (token !== undefined) break;
    overlap = text.slice(-overlapChars);
    await machine.nextTurn();
  }
  const [, jobId, attempt] = /^(job_[0-9a-f-]{36})\.(\d{1,9})$/.exec(token ?? '') ?? [];
  if (jobId === undefined || attempt === undefined) return undefined;
  return { job_id: jobId, attempt: Number(attempt) };
}

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** A chunk may be long, so it is decoded in parts to let other requests run. */
async function* textsOf(chunks: Chunks): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += charsPerPart) {
      yield decoder.decode(chunk.subarray(at, at + charsPerPart), { stream: true });
    }
  }
  yield decoder.decode();
}

/** If the job has ended, a late callback changes nothing, and is answered with success. */
async function storeAndRecord(
  context: JobContext,
  provider: TranscriberId,
  { job_id, attempt }: Named,
  chunks: Chunks,
): Promise<void> {
  const { database, clock } = context;
  const known = await findJob(database, job_id);
  if (known?.provider !== provider) throw notFound();
  if (known.finished_at !== null) return;
  if (await hasMostUnread(database, job_id)) throw tooMany();
  const bodyId = newId('text');
  try {
    await store(context, { id: bodyId, provider, job_id }, chunks);
  } catch (error) {
    await deleteText(database, bodyId).catch(() => undefined);
    throw error;
  }
  // A commit whose answer is lost may have succeeded, so from here on the body is kept.
  const receivedAt = clock.now().getTime();
  const isKept = await database.transaction(async (tx) => {
    // Under its lock the job ends after the callback was recorded, or had ended before.
    const job = (await lockJobs(tx, [job_id])).get(job_id);
    const hasEnded = !job || job.finished_at !== null;
    if (hasEnded || (await hasMostUnread(tx, job_id))) {
      await deleteText(tx, bodyId);
      return hasEnded;
    }
    const callback = { job_id, attempt, body_id: bodyId, received_at: receivedAt };
    await insertCallback(tx, { id: newId('call'), ...callback });
    return true;
  });
  if (!isKept) throw tooMany();
  context.nudge();
}

/** Stores the body part by part as it arrives. */
async function store(
  context: JobContext,
  { id, job_id, provider }: { id: string; job_id: string; provider: TranscriberId },
  chunks: Chunks,
): Promise<void> {
  const upstream = callableProviderOf(context, provider)?.upstream;
  const redactor = redactorOf(upstream).inPieces();
  const madeAt = context.clock.now().getTime();
  let [part, text] = [0, ''];
  const put = async () => {
    await insertParts(context.database, [{ id, part, job_id, made_at: madeAt, content: text }]);
    part += 1;
    text = '';
    await machine.nextTurn();
  };
  for await (const piece of textsOf(chunks)) {
    text += redactor.push(piece);
    if (text.length >= charsPerPart) await put();
  }
  text += redactor.end();
  await put();
}

/** The worker reads the others first; what no version can read is deleted when the job ends. */
function tooMany(): GatewayError {
  const message = 'The job has many callbacks that were not read yet. Send this one again later.';
  return tryLater('rate_limited', message, 60);
}

function notFound(): GatewayError {
  return new GatewayError('not_found', 'There are no callbacks at this address.');
}

const maxCallbackBytes = 64 * 1024 * 1024;

/** Between two chunks, and for the whole body, of a sender that is already authenticated. */
const authenticatedTimeouts = { pauseMs: 15_000, wholeMs: 240_000 };
/** For a sender that only a signature over the whole body can authenticate. */
const unauthenticatedTimeouts = { pauseMs: 5000, wholeMs: 30_000 };

/** `Content-Length` is only used to refuse a body without reading it. */
function refuseLongBody(headers: Headers): void {
  if (Number(headers.get('content-length') ?? 0) > maxCallbackBytes) throw tooLarge();
}

/** `cut` aborts reading with the error that it resolves to. */
export async function* chunksInTime(
  body: ReadableStream<Uint8Array> | null,
  { pauseMs, wholeMs }: typeof authenticatedTimeouts,
  cut?: Promise<Error>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  const deadline = machine.ticks() + wholeMs;
  let [size, finished] = [0, false];
  try {
    for (;;) {
      const limitMs = Math.min(pauseMs, deadline - machine.ticks());
      if (limitMs <= 0) throw tooSlow();
      const read = Promise.race([...(cut ? [cut] : []), reader.read()]);
      const next = await withTimeLimit(read, limitMs, tooSlow);
      if (next instanceof Error) throw next;
      if (next.done) {
        finished = true;
        return;
      }
      size += next.value.length;
      if (size > maxCallbackBytes) throw tooLarge();
      yield next.value;
    }
  } finally {
    // Release the rest of the body.
    if (!finished) reader.cancel().catch(() => undefined);
  }
}

const unprovenLimits = { maxBodies: 1024, maxBytes: 64 * 1024 * 1024 };

/** The memory that buffering even a short chunk takes. */
const bytesPerChunk = 256;
/** Until then, the speed of a body is not known. */
const measuredAfterMs = 1000;

/**
 * Buffers for bodies that are not authenticated yet. A new body is always admitted: above a limit
 * the slowest one is evicted, so that unfinished bodies never delay a finished one.
 */
export function makeUnprovenBodies(ticks: () => number, limits = unprovenLimits) {
  const bodies = new Set<{ began: number; bytes: number; cutWith: (error: Error) => void }>();
  let bytes = 0;
  const remove = (one: typeof bodies extends Set<infer One> ? One : never) => {
    if (bodies.delete(one)) bytes -= one.bytes;
  };
  const evict = () => {
    const now = ticks();
    while (bodies.size > limits.maxBodies || bytes > limits.maxBytes) {
      const measured = [...bodies].filter(({ began }) => now - began >= measuredAfterMs);
      const speed = (one: { began: number; bytes: number }) => one.bytes / (now - one.began);
      const [oldest] = bodies;
      const slowest = measured.toSorted((one, other) => speed(one) - speed(other))[0] ?? oldest;
      if (!slowest) return;
      remove(slowest);
      slowest.cutWith(evicted());
    }
  };
  return {
    enter: (): UnprovenBody => {
      const { promise: cut, resolve: cutWith } = Promise.withResolvers<Error>();
      const one = { began: ticks(), bytes: 0, cutWith };
      bodies.add(one);
      evict();
      return {
        keep: (chunk) => {
          if (!bodies.has(one)) return;
          const size = Math.max(chunk.length, bytesPerChunk);
          one.bytes += size;
          bytes += size;
          evict();
        },
        cut,
        leave: () => remove(one),
      };
    },
    /** How many bodies and bytes there are. */
    buffered: () => ({ bodies: bodies.size, bytes }),
  };
}

/** The unread rest of a body must not be parsed as the next request. */
const closing = { connection: 'close' };

function evicted(): GatewayError {
  return new GatewayError(
    'provider_not_available',
    'The body arrived too slowly while others were waiting. Send it again.',
    undefined,
    { status: 503, headers: { 'retry-after': '1', ...closing } },
  );
}

function tooSlow(): GatewayError {
  const message = 'The body did not arrive in time. Send it without pauses.';
  return new GatewayError('invalid_request', message, undefined, { status: 408, headers: closing });
}

function tooLarge(): GatewayError {
  const message = `A callback can have at most ${maxCallbackBytes} bytes.`;
  return new GatewayError('invalid_request', message, undefined, { status: 413, headers: closing });
}
