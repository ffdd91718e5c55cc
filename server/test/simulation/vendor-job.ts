// What a simulated vendor has accepted, and what it says about it on its own wire.
import { createHmac } from 'node:crypto';
import type { TranscriberId } from '@trivium/contract';

export interface VendorJob {
  provider: TranscriberId;
  id: string;
  /** `<job id>.<attempt>`, as it was sent along. */
  token: string;
  audio_url: string;
  /** Undefined for a synchronous call, and where no callback is possible. */
  callback?: { url: string; secret: string };
  /** What AssemblyAI echoes, whether it can be called or not. */
  webhook_url: string;
  created: number;
  readyAt: number;
  succeeds: boolean;
  /** The vendor answered that it had not taken it. */
  denied: boolean;
  /** What came of delivering it so far. */
  delivery: { attempts: number; code?: number };
  /** A genuine delivery was taken with thanks while its job was still open. */
  received: boolean;
}

export interface SentCallback {
  provider: TranscriberId;
  token?: string;
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
}

export const webhookSecret = 'wsec_simulated';
export const deepgramKeyId = 'key-of-the-simulation';
/** Stands in everything that a forger sends; it must never be found in a store. */
export const forgedWords = 'a forged transcript';

/** The delivery as it goes over the wire, or a forger's imitation of it. */
export function deliveryOf(work: VendorJob, now: number, forged: boolean): SentCallback {
  const { provider } = work;
  const text = JSON.stringify(bodyOf(work, forged ? forgedWords : 'hello'));
  const path = new URL(work.callback?.url ?? 'https://nowhere.invalid').pathname;
  const token = path.split('/')[3];
  const secret = forged ? 'guessed' : (work.callback?.secret ?? '');
  const body = new Response(text).body;
  const headers = new Headers(headersOf(provider, text, secret, forged, now));
  if (provider === 'stt_c') return { provider, headers, body };
  // Half of the forgers have seen a header, but never an address.
  const address = forged && work.created % 2 === 0 ? `${work.token}.${'0'.repeat(40)}` : token;
  return { provider, headers, body, ...(address === undefined ? {} : { token: address }) };
}

/** What the vendor says when it is asked for the result, or answers with it at once. */
export function documentOf({ provider, id, token }: VendorJob, text: string): object {
  if (provider === 'stt_b') {
    return {
      metadata: { request_id: id, duration: 60, tags: [token] },
      results: { channels: [{ alternatives: [{ transcript: text, words: [] }] }] },
    };
  }
  return {
    text,
    words: [],
    language_code: 'eng',
    audio_duration_secs: 60,
    transcription_id: id,
  };
}

function bodyOf(work: VendorJob, text: string): object {
  const { provider, id, token, succeeds } = work;
  if (provider === 'stt_a') {
    return { transcript_id: id, status: succeeds ? 'completed' : 'error', note: text };
  }
  if (provider === 'stt_b') {
    if (succeeds || text === forgedWords) return documentOf(work, text);
    return { err_code: 'INTERNAL_ERROR', err_msg: 'The model could not be run.', request_id: id };
  }
  const type = 'speech_to_text_transcription';
  const data = { request_id: id, webhook_metadata: { attempt_id: token } };
  if (succeeds) return { type, data: { ...data, transcription: documentOf(work, text) } };
  return { type: `${type}_failed`, data: { ...data, status: 'failed' } };
}

function headersOf(
  provider: TranscriberId,
  text: string,
  secret: string,
  forged: boolean,
  now: number,
): Record<string, string> {
  if (provider === 'stt_a') return { 'x-trivium-callback-secret': secret };
  if (provider === 'stt_b') return { 'dg-token': forged ? 'guessed' : deepgramKeyId };
  const time = Math.floor(now / 1000);
  const key = forged ? 'guessed' : webhookSecret;
  const sign = createHmac('sha256', key).update(`${time}.${text}`).digest('hex');
  return { 'elevenlabs-signature': `t=${time},v0=${sign}` };
}
