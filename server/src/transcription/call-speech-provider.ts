// Calls a speech provider about one job, through its guard and with the credential of the job.
import { hasOtherKey, isAboutKey, type Refusal, refusalOf } from '../upstream/core/index.ts';
import type { StoredFile } from '../uploads/index.ts';
import { formWithFile } from '../platform/form-body.ts';
import type { Outgoing, Sent } from '../platform/http-client.ts';
import type { WireRequest } from '../providers/index.ts';
import type { JobRow } from './store/jobs.ts';
import {
  fieldsOf,
  outgoingOf,
  type ReadyProvider,
  refusalIn,
  sendGuarded,
} from '../upstream/index.ts';
import { attemptOf, keyOfJob, callableProviderOf } from './job-context.ts';
import type { AttemptContext, SpeechCallContext } from './job-context.ts';
import type { ReadingTask } from './read-transcript.ts';

/** For a poll or a look-up. */
export const questionTimeoutMs = 30_000;
const maxAnswerBytes = 128 * 1024 * 1024;
/** The answer is an address. */
const maxStoredBytes = 64 * 1024;

/** The slowest connection that is allowed for when a file is sent to a provider. */
const sentBytesPerSecond = 128 * 1024;

export function sendingMs(bytes: number): number {
  return (bytes / sentBytesPerSecond) * 1000;
}

type SpeechCall =
  /** No byte left the gateway. */
  | { kind: 'not_sent'; reason: string; retry_after_ms?: number }
  /** `otherKey`: the credential was refused, no work was done, and another one is available. */
  | { kind: 'sent'; sent: Sent; otherKey: boolean };

/**
 * Uses the credential that the job was submitted with: with another one, the vendor would not find
 * the job.
 */
export async function callSpeechProvider(
  context: SpeechCallContext,
  job: JobRow,
  wire: WireRequest,
  timeoutMs: number,
  what: 'submit' | 'store' | 'poll' | 'lookup',
  file?: StoredFile,
): Promise<SpeechCall> {
  const configured = callableProviderOf(context, job.provider);
  if (!configured) {
    return { kind: 'not_sent', reason: 'the provider has no credential on this deployment' };
  }
  const key = keyOfJob(context, configured, job);
  if (key === undefined && configured.upstream.key !== undefined) {
    return { kind: 'not_sent', reason: 'the credential of this job was removed' };
  }
  const outgoing = outgoingOf(
    configured,
    wire,
    {
      account_id: job.account_id,
      timeout_ms: timeoutMs,
      maxBytes: what === 'store' ? maxStoredBytes : maxAnswerBytes,
      ...(context.room ? { room: context.room } : {}),
    },
    key,
  );
  const manner = {
    fresh: what === 'submit' || what === 'store',
    inPieces: what === 'submit' || what === 'poll',
  };
  const called = await sendGuarded(
    context,
    configured,
    key,
    { ...outgoing, ...manner, ...withFile(outgoing, wire, file) },
    (sent) => ({
      value: sent,
      refusal: refusalOfCall(sent),
    }),
  );
  if ('notCalled' in called) {
    const { message: reason, retry_after_ms } = called.notCalled;
    const later = retry_after_ms === undefined ? {} : { retry_after_ms };
    return { kind: 'not_sent', reason, ...later };
  }
  return {
    kind: 'sent',
    sent: called.value,
    otherKey: hasBetterKey(configured, key, called.refusal),
  };
}

/** The file as the body or as a part of the form, streamed. */
function withFile(
  { headers }: Outgoing,
  wire: WireRequest,
  file: StoredFile | undefined,
): Partial<Outgoing> {
  if (!wire.file || !file) return {};
  const { field, name, type } = wire.file;
  const sent =
    field === undefined
      ? { type, bytes: file.bytes, body: file.stream() }
      : formWithFile(fieldsOf(wire.form ?? {}), { ...file, field, name, type });
  const described = { 'content-type': sent.type, 'content-length': String(sent.bytes) };
  return { headers: { ...headers, ...described }, body: sent.body };
}

/** Called after the refused credential was taken out of rotation for a while. */
function hasBetterKey(
  { guard }: ReadyProvider,
  key: string | undefined,
  refusal?: Refusal,
): boolean {
  if (!guard || key === undefined || !refusal || !isAboutKey(refusal.kind)) return false;
  return hasOtherKey(guard.credentials, key, guard.clock.ticks());
}

/** For the circuit breaker only. The adapter reads what an answer says about the job. */
function refusalOfCall(sent: Sent): Refusal | undefined {
  if (!sent.ok) return refusalIn(sent);
  return sent.status < 300 ? undefined : refusalOf({ ...sent, body: undefined });
}

/** What the transcript reader needs to read an answer. */
export function readingTask(
  context: SpeechCallContext,
  job: JobRow,
  source: ReadingTask['source'],
  sent: Extract<Sent, { ok: true }>,
): ReadingTask {
  return {
    source,
    status: sent.status,
    headers: [...sent.headers],
    texts: sent.pieces ?? [sent.text],
    ...jobFacts(context, job),
  };
}

/** The length that older versions held for: they did not record it. */
const defaultHeldSeconds = 3600;

/** What the reader needs to know about the job. */
export function jobFacts(
  context: AttemptContext & Pick<SpeechCallContext, 'prices'>,
  job: JobRow,
): Pick<ReadingTask, 'provider' | 'attempt' | 'language' | 'heldSeconds' | 'rates'> {
  const { language, held_seconds: heldSeconds = defaultHeldSeconds } = job.request;
  return {
    provider: job.provider,
    attempt: attemptOf(context, job),
    ...(language === undefined ? {} : { language }),
    heldSeconds,
    rates: context.prices[job.provider]?.transcribe ?? {},
  };
}
