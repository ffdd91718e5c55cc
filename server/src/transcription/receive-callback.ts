// Receives a provider's callback: authenticates it, stores it as received, and only then answers. A
// worker reads it afterwards.
import type { TranscriberId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { nextTurn } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { openSignature, sameText } from '../platform/signatures.ts';
import { insertCallback } from './store/callbacks.ts';
import { findJob, lockJob } from './store/jobs.ts';
import { deleteText, insertPart } from './store/texts.ts';
import {
  chunksInTime,
  unauthenticatedTimeouts,
  authenticatedTimeouts,
  refuseLongBody,
} from './callback-body.ts';
import { attemptSecret, productOf, readCallbackToken, callableProviderOf } from './job-context.ts';
import type { CallbackContext } from './job-context.ts';
import { redactNothing, redactorOf } from '../upstream/index.ts';

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
  context: CallbackContext,
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
  if (!(await isOpen(context, callback.provider, named.job_id))) return;
  const chunks = chunksInTime(callback.body, authenticatedTimeouts);
  await storeAndRecord(context, callback.provider, named, chunks);
}

/** Buffers the body until its signature is verified. Nothing is stored before that. */
async function receiveSigned(
  context: CallbackContext,
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
    if (!(await isOpen(context, provider, named.job_id))) return;
    await storeAndRecord(context, provider, named, chunks);
  } finally {
    unproven.leave();
  }
}

/**
 * False if the job has ended: a late or repeated callback changes nothing, and is answered with
 * success.
 */
async function isOpen(context: CallbackContext, provider: string, jobId: string): Promise<boolean> {
  const job = await findJob(context.database, jobId);
  if (job?.provider !== provider) throw notFound();
  return job.finished_at === null;
}

/** Searches piece by piece. The end of each piece is searched again with the next one. */
async function jobIn(
  context: CallbackContext,
  provider: TranscriberId,
  chunks: readonly Uint8Array[],
): Promise<Named | undefined> {
  const { tokenIn } = productOf(context, provider);
  let [token, overlap]: [string | undefined, string] = [undefined, ''];
  for await (const text of textsOf(chunks)) {
    token = tokenIn?.(overlap + text);
    if (token !== undefined) break;
    overlap = text.slice(-overlapChars);
    await nextTurn();
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

async function storeAndRecord(
  context: CallbackContext,
  provider: TranscriberId,
  named: Named,
  chunks: Chunks,
): Promise<void> {
  const bodyId = newId('text');
  try {
    await store(context, { id: bodyId, provider, ...named }, chunks);
  } catch (error) {
    await deleteText(context.database, bodyId).catch(() => undefined);
    throw error;
  }
  // A commit whose answer is lost may have succeeded, so from here on the body is kept.
  await record(context, named, bodyId);
}

/**
 * Runs under the job's lock: the job ends after this callback was recorded, or had ended before.
 */
async function record(
  context: CallbackContext,
  { job_id, attempt }: Named,
  bodyId: string,
): Promise<void> {
  const receivedAt = context.clock.now().getTime();
  await context.database.transaction(async (tx) => {
    const job = await lockJob(tx, job_id);
    if (!job || job.finished_at !== null) return deleteText(tx, bodyId);
    return insertCallback(tx, {
      id: newId('call'),
      job_id,
      attempt,
      body_id: bodyId,
      received_at: receivedAt,
    });
  });
  context.nudge();
}

/** Stores the body part by part as it arrives. */
async function store(
  context: CallbackContext,
  { id, job_id, provider }: { id: string; job_id: string; provider: TranscriberId },
  chunks: Chunks,
): Promise<void> {
  const upstream = callableProviderOf(context, provider)?.upstream;
  const redactor = (upstream ? redactorOf(upstream) : redactNothing).inPieces();
  const madeAt = context.clock.now().getTime();
  let [part, text] = [0, ''];
  const put = async () => {
    await insertPart(context.database, { id, part, job_id, made_at: madeAt, content: text });
    part += 1;
    text = '';
    await nextTurn();
  };
  for await (const piece of textsOf(chunks)) {
    text += redactor.push(piece);
    if (text.length >= charsPerPart) await put();
  }
  text += redactor.end();
  await put();
}

function notFound(): GatewayError {
  return new GatewayError('not_found', 'There are no callbacks at this address.');
}
