// Calls a speech provider about one job, through its guard and with the credential of the job.
import type { WireRequest } from '../providers/index.ts';
import type { StoredFile } from '../uploads/index.ts';
import type { Reply } from '../upstream/core/index.ts';
import { callProvider, hasBetterKey } from '../upstream/index.ts';
import { type JobContext, attemptOf, callableProviderOf, keyOfJob } from './job-context.ts';
import type { ProviderReport, RawDocument, ReadingTask } from './read-transcript.ts';
import type { JobRow } from './store/jobs.ts';

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
  | { kind: 'not_sent'; reason: string; retry_after_ms?: number }
  /** The provider may have received the request. */
  | { kind: 'unanswered'; reason: string }
  /** `otherKey`: the credential was refused, no work was done, and another one is available. */
  | { kind: 'answered'; reply: Reply; otherKey: boolean };

/** With the credential of the job: with another one, the vendor would not find the job. */
export async function callSpeechProvider(
  context: JobContext,
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
  const budget = {
    account_id: job.account_id,
    timeout_ms: timeoutMs,
    maxBytes: what === 'store' ? maxStoredBytes : maxAnswerBytes,
    room: context.room,
    fresh: what === 'submit' || what === 'store',
    inPieces: what === 'submit' || what === 'poll',
    file,
  };
  const outcome = await callProvider(context, configured, wire, budget, { once: { key } });
  if (outcome.reply) {
    const otherKey = outcome.kind === 'refused' && hasBetterKey(configured, key, outcome.refusal);
    return { kind: 'answered', reply: outcome.reply, otherKey };
  }
  const { kind, message: reason, retry_after_ms } = outcome.refusal;
  if (kind === 'uncertain') return { kind: 'unanswered', reason };
  return { kind: 'not_sent', reason, ...(retry_after_ms === undefined ? {} : { retry_after_ms }) };
}

/** The length that older versions held for: they did not record it. */
const defaultHeldSeconds = 3600;

/** Reads what the provider said about the job. A transcript comes with the document it is from. */
export async function readAnswer(
  context: JobContext,
  job: JobRow,
  source: ReadingTask['source'],
  { status, headers, text, pieces: texts = [text] }: Omit<Reply, 'body'>,
  raw: RawDocument = { texts },
): Promise<ProviderReport> {
  const { language, held_seconds: heldSeconds = defaultHeldSeconds } = job.request;
  const report = await context.reader.read({
    source,
    status,
    headers: [...headers],
    texts,
    provider: job.provider,
    attempt: attemptOf(context, job),
    ...(language === undefined ? {} : { language }),
    heldSeconds,
    rates: context.prices[job.provider]?.transcribe ?? {},
  });
  return report.kind === 'done' ? { ...report, raw } : report;
}
