// The outcomes of a paid submission and the failures of a job. The adapters, the state machine and
// the worker share these types.
import type { JobError } from '@trivium/contract';
import { type Reply, retryAfter } from '../../upstream/core/index.ts';

/** Why a job cannot finish, as its `error` will state it. */
export interface Failure {
  type: JobError['type'];
  message: string;
  /** The provider's own status and code, if it gave any. */
  provider_status: number | null;
  provider_code: string | null;
  /** True if the same request may succeed when it is made again. */
  retryable: boolean;
}

/** What a provider says about a recording that it refused or could not transcribe. */
export function providerFailure(
  message: string,
  status: number | null,
  given: { code?: string | null; unreachable?: boolean; retryable?: boolean } = {},
): Failure {
  const { code = null, unreachable = false, retryable = unreachable } = given;
  const type = unreachable ? 'audio_unreachable' : 'provider_error';
  return { type, message, provider_status: status, provider_code: code, retryable };
}

/** One word as a vendor reports it. Times are in seconds. */
export interface ReadWord {
  text: string;
  start: number;
  end: number;
  /** The vendor's own label, in any form. */
  speaker?: string | null | undefined;
  confidence?: number | null | undefined;
}

/** A finished transcript as an adapter reads it. */
export interface TranscriptReading {
  text: string;
  /** The vendor's tag for the language it detected. */
  language?: string | undefined;
  /** As the vendor wrote it. It is validated when it is priced. */
  duration_seconds?: unknown;
  /** The model that was actually used, if the vendor says so. */
  model?: string | null | undefined;
  /** Undefined if the vendor was not asked for words. */
  words: ReadWord[] | undefined;
  /** True if the words are labelled by speaker or channel because the caller asked for it. */
  has_speakers: boolean;
  /** How many words could not be read and were left out. */
  unread_words?: number;
  /** When the last word or sound that the vendor reports ends. */
  heard_until?: number;
  /** How many channels were transcribed separately. */
  channels?: number | undefined;
  /** The vendor does not charge for this answer. It counts only for an answer without words. */
  is_free?: true;
}

export type Submission =
  | { kind: 'accepted'; provider_job_id: string | null }
  /** A synchronous provider answered with the transcript itself. */
  | { kind: 'done'; reading: TranscriptReading; provider_job_id: string | null }
  /** Certainly not accepted, so the same attempt may be sent again later. */
  | { kind: 'refused'; reason: string; retry_after_ms?: number }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'unknown'; reason: string };

/** How vendors differ in the answer to a submission. */
interface SubmitReading {
  /** The 4xx statuses after which this vendor may still have accepted the job. */
  uncertain: readonly number[];
  /** Undefined if a 2xx answer has a body that cannot be read. */
  accepted: (reply: Reply) => Submission | undefined;
  reasonOf: (reply: Reply) => string;
  failureOf: (reply: Reply) => Failure;
}

/** Only a rate limit or a certain refusal shows that nothing was accepted. */
export function readSubmission(reply: Reply, reading: SubmitReading): Submission {
  const { status, headers } = reply;
  const unknown: Submission = { kind: 'unknown', reason: `it answered with status ${status}` };
  if (status >= 200 && status < 300) return reading.accepted(reply) ?? unknown;
  if (status === 429) {
    return { kind: 'refused', reason: reading.reasonOf(reply), ...retryAfterMs(headers) };
  }
  const certain = status >= 400 && status < 500 && !reading.uncertain.includes(status);
  return certain ? { kind: 'failed', failure: reading.failureOf(reply) } : unknown;
}

/** A longer `Retry-After` is capped. */
const maxRetryAfterMs = 300_000;

export function retryAfterMs(headers: Headers): { retry_after_ms?: number } {
  const waitMs = retryAfter(headers);
  return waitMs === undefined ? {} : { retry_after_ms: Math.min(waitMs, maxRetryAfterMs) };
}
