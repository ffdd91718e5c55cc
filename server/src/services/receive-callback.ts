// A provider calls back: proven genuine, stored as it came, and only then answered. A worker reads
// it afterwards.
import type { TranscriberId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { nextTurn } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { openSignature, sameText } from '../platform/signatures.ts';
import { insertCallback } from '../store/callbacks.ts';
import { findJob, lockJob } from '../store/jobs.ts';
import { deleteText, insertPart } from '../store/texts.ts';
import {
  chunksInTime,
  patienceWithStrangers,
  patienceWithVendors,
  refuseLongBody,
} from './delivery-body.ts';
import { attemptSecret, productOf, readCallbackToken, stationOf } from './job-desk.ts';
import type { JobDesk } from './job-desk.ts';
import { redactNothing, redactorOf } from './redact.ts';

export interface Delivery {
  provider: TranscriberId;
  /** From the address; absent where the address is fixed. */
  token?: string;
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
}

interface Named {
  job_id: string;
  attempt: number;
}

const chars_per_part = 128 * 1024;
/** Longer than any token with its name. */
const seam_chars = 200;

export async function receiveCallback(desk: JobDesk, delivery: Delivery): Promise<void> {
  const { fixed_address, proof } = productOf(desk.house, delivery.provider).callback;
  if (fixed_address !== (delivery.token === undefined)) throw forged();
  if (proof.kind === 'signed_body') return receiveSigned(desk, delivery, proof);
  const named = readCallbackToken(desk.secret, delivery.token ?? '');
  if (!named) throw forged();
  const expected =
    proof.kind === 'attempt_secret'
      ? attemptSecret(desk.secret, `${named.job_id}.${named.attempt}`)
      : desk.house.settings.extras[proof.setting];
  const given = delivery.headers.get(proof.header) ?? '';
  if (expected !== undefined && !expected.split(',').some((one) => sameText(given, one.trim()))) {
    throw forged();
  }
  refuseLongBody(delivery.headers);
  if (!(await isOpen(desk, delivery.provider, named.job_id))) return;
  const chunks = chunksInTime(delivery.body, patienceWithVendors);
  await storeAndRecord(desk, delivery.provider, named, chunks);
}

/** Kept in memory until its signature fits: nothing of it reaches the store before. */
async function receiveSigned(
  desk: JobDesk,
  { provider, headers, body }: Delivery,
  proof: { header: string; setting: string; tolerance_s: number },
): Promise<void> {
  const { settings, clock } = desk.house;
  const secret = settings.extras[proof.setting];
  const now_s = clock.now().getTime() / 1000;
  const sign = headers.get(proof.header) ?? '';
  const signature = openSignature(sign, secret ?? '', now_s, proof.tolerance_s);
  if (!signature || secret === undefined) throw forged();
  refuseLongBody(headers);
  const unproven = desk.unproven.enter();
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of chunksInTime(body, patienceWithStrangers, unproven.cut)) {
      unproven.keep(chunk);
      signature.add(chunk);
      chunks.push(chunk);
    }
    if (!signature.fits()) throw forged();
    const named = await jobIn(desk, provider, chunks);
    if (!named) throw forged();
    if (!(await isOpen(desk, provider, named.job_id))) return;
    await storeAndRecord(desk, provider, named, chunks);
  } finally {
    unproven.leave();
  }
}

/**
 * False for a job that has ended: what comes late or twice changes nothing, and is thanked for
 * all the same.
 */
async function isOpen({ house }: JobDesk, provider: string, job_id: string): Promise<boolean> {
  const job = await findJob(house.database, job_id);
  if (job?.provider !== provider) throw forged();
  return job.finished_at === null;
}

/** Piece by piece; what lies across the seam of two is seen with the next one. */
async function jobIn(
  desk: JobDesk,
  provider: TranscriberId,
  chunks: readonly Uint8Array[],
): Promise<Named | undefined> {
  const { tokenIn } = productOf(desk.house, provider);
  let [token, seam]: [string | undefined, string] = [undefined, ''];
  for await (const text of textsOf(chunks)) {
    token = tokenIn?.(seam + text);
    if (token !== undefined) break;
    seam = text.slice(-seam_chars);
    await nextTurn();
  }
  const [, job_id, attempt] = /^(job_[0-9a-f-]{36})\.(\d{1,9})$/.exec(token ?? '') ?? [];
  if (job_id === undefined || attempt === undefined) return undefined;
  return { job_id, attempt: Number(attempt) };
}

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** What came in one piece may be long: other requests are not to wait for all of it. */
async function* textsOf(chunks: Chunks): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += chars_per_part) {
      yield decoder.decode(chunk.subarray(at, at + chars_per_part), { stream: true });
    }
  }
  yield decoder.decode();
}

async function storeAndRecord(
  desk: JobDesk,
  provider: TranscriberId,
  named: Named,
  chunks: Chunks,
): Promise<void> {
  const body_id = newId('text');
  try {
    await store(desk, { id: body_id, provider, ...named }, chunks);
  } catch (error) {
    await deleteText(desk.house.database, body_id).catch(() => undefined);
    throw error;
  }
  // A commit whose answer is lost may have been made, so from here on the body stays.
  await record(desk, named, body_id);
}

/** Under the job's lock: either the job ends after this delivery was recorded, or it had ended. */
async function record(
  { house, nudge }: JobDesk,
  { job_id, attempt }: Named,
  body_id: string,
): Promise<void> {
  const received_at = house.clock.now().getTime();
  await house.database.transaction(async (tx) => {
    const job = await lockJob(tx, job_id);
    if (!job || job.finished_at !== null) return deleteText(tx, body_id);
    return insertCallback(tx, { id: newId('call'), job_id, attempt, body_id, received_at });
  });
  nudge();
}

/** Part by part, as it comes. */
async function store(
  { house }: JobDesk,
  { id, job_id, provider }: { id: string; job_id: string; provider: TranscriberId },
  chunks: Chunks,
): Promise<void> {
  const upstream = stationOf(house, provider)?.upstream;
  const redactor = (upstream ? redactorOf(upstream) : redactNothing).inPieces();
  const made_at = house.clock.now().getTime();
  let [part, text] = [0, ''];
  const put = async () => {
    await insertPart(house.database, { id, part, job_id, made_at, content: text });
    part += 1;
    text = '';
    await nextTurn();
  };
  for await (const piece of textsOf(chunks)) {
    text += redactor.push(piece);
    if (text.length >= chars_per_part) await put();
  }
  text += redactor.end();
  await put();
}

function forged(): GatewayError {
  return new GatewayError('not_found', 'There is nothing to be called back here.');
}
