// A provider calls back: proven genuine, stored as it came, and only then answered. A worker reads
// it afterwards.
import type { TranscriberId } from '@trivium/contract';
import { GatewayError } from '@trivium/contract';
import { nextTurn } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { openSignature, sameText } from '../platform/signatures.ts';
import { insertCallback } from '../store/callbacks.ts';
import { findJob } from '../store/jobs.ts';
import { deleteText, findPart, insertPart, ownText } from '../store/texts.ts';
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

const max_delivery_bytes = 64 * 1024 * 1024;
const chars_per_part = 128 * 1024;
const max_parts = max_delivery_bytes / chars_per_part + 1;
/** Longer than any token with its name. */
const seam_chars = 200;
/** Deliveries whose sign can only be checked at their end; more at once would be an attack. */
const max_unproven = 4;
let unproven = 0;

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
  if (!(await isOpen(desk, delivery.provider, named.job_id))) return;
  const body_id = await store(desk, delivery, named.job_id, () => undefined);
  await record(desk, named, body_id);
}

async function receiveSigned(
  desk: JobDesk,
  delivery: Delivery,
  proof: { header: string; setting: string; tolerance_s: number },
): Promise<void> {
  const { settings, clock } = desk.house;
  const signature = openSignature(
    delivery.headers.get(proof.header) ?? '',
    settings.extras[proof.setting] ?? '',
    clock.now().getTime() / 1000,
    proof.tolerance_s,
  );
  if (!signature || settings.extras[proof.setting] === undefined) throw forged();
  if (unproven >= max_unproven) throw busy();
  unproven += 1;
  try {
    const body_id = await store(desk, delivery, null, signature.add);
    const named = signature.fits() ? await jobIn(desk, delivery.provider, body_id) : undefined;
    if (named && (await isOpen(desk, delivery.provider, named.job_id))) {
      return await record(desk, named, body_id);
    }
    await deleteText(desk.house.database, body_id);
    if (!named) throw forged();
  } finally {
    unproven -= 1;
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

/** Part by part; what lies across the seam of two is seen with the next one. */
async function jobIn(desk: JobDesk, provider: TranscriberId, body_id: string) {
  const { tokenIn } = productOf(desk.house, provider);
  let [token, seam]: [string | undefined, string] = [undefined, ''];
  for (let part = 0; token === undefined && part < max_parts; part += 1) {
    const text = await findPart(desk.house.database, body_id, part);
    if (text === undefined) break;
    token = tokenIn?.(seam + text);
    seam = text.slice(-seam_chars);
    await nextTurn();
  }
  const [, job_id, attempt] = /^(job_[0-9a-f-]{36})\.(\d{1,9})$/.exec(token ?? '') ?? [];
  if (job_id === undefined || attempt === undefined) return undefined;
  return { job_id, attempt: Number(attempt) };
}

async function record(
  desk: JobDesk,
  { job_id, attempt }: { job_id: string; attempt: number },
  body_id: string,
): Promise<void> {
  const received_at = desk.house.clock.now().getTime();
  await desk.house.database.transaction(async (tx) => {
    await ownText(tx, body_id, job_id);
    await insertCallback(tx, { id: newId('call'), job_id, attempt, body_id, received_at });
  });
  desk.nudge();
}

/** Part by part, as it comes; on any trouble nothing of it stays. */
async function store(
  { house }: JobDesk,
  { provider, body }: Delivery,
  job_id: string | null,
  look: (chunk: Uint8Array) => void,
): Promise<string> {
  const id = newId('text');
  const made_at = house.clock.now().getTime();
  const decoder = new TextDecoder();
  const upstream = stationOf(house, provider)?.upstream;
  const redactor = (upstream ? redactorOf(upstream) : redactNothing).inPieces();
  let [part, size, text] = [0, 0, ''];
  const put = async () => {
    await insertPart(house.database, { id, part, job_id, made_at, content: text });
    part += 1;
    text = '';
    await nextTurn();
  };
  try {
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > max_delivery_bytes) throw tooLarge();
      // What came in one piece may be long: nobody is to wait for all of it.
      for (let at = 0; at < chunk.length; at += chars_per_part) {
        const piece = chunk.subarray(at, at + chars_per_part);
        look(piece);
        text += redactor.push(decoder.decode(piece, { stream: true }));
        if (text.length >= chars_per_part) await put();
      }
    }
    text += redactor.push(decoder.decode()) + redactor.end();
    await put();
    return id;
  } catch (error) {
    await deleteText(house.database, id).catch(() => undefined);
    throw error;
  }
}

function forged(): GatewayError {
  return new GatewayError('not_found', 'There is nothing to be called back here.');
}

function busy(): GatewayError {
  return new GatewayError('provider_not_available', 'Too many deliveries at once.', undefined, {
    status: 503,
    headers: { 'retry-after': '1' },
  });
}

function tooLarge(): GatewayError {
  const message = `A delivery may have at most ${max_delivery_bytes} bytes.`;
  return new GatewayError('invalid_request', message, undefined, { status: 413 });
}
