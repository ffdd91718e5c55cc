// Submits an attempt of a job to its provider, once. The caller records the outcome.
import { minuteMs } from '@trivium/contract/durations';
import { FilesUnavailable } from '../uploads/index.ts';
import { submissionOf } from '../providers/index.ts';
import type { JobRow } from './store/jobs.ts';
import { callSpeechProvider, readingTask, sendingMs } from './call-speech-provider.ts';
import { attemptOf, productOf } from './job-context.ts';
import { recordingOf, uploadGone } from './uploaded-recording.ts';
import type { SpeechCallContext } from './job-context.ts';
import { withRaw } from './read-transcript.ts';
import type { ProviderReport } from './read-transcript.ts';

const submitTimeoutMs = 30_000;
/** Without a callback the vendor answers with the transcript itself. */
const synchronousTimeoutMs = 15 * minuteMs;

/** Sends the attempt that was just recorded as submitting. It is never sent twice. */
export async function submitJob(context: SpeechCallContext, job: JobRow): Promise<ProviderReport> {
  const product = productOf(context, job.provider);
  const recording = await recordingOf(context, job).catch(asUnread);
  if (recording instanceof Error) return { kind: 'refused', reason: recording.message };
  if (!recording) return { kind: 'failed', failure: uploadGone };
  const { file } = recording;
  const attempt = { ...attemptOf(context, job), ...recording.given };
  const wire = submissionOf(product, attempt);
  const leftMs = Math.max(1, job.deadline_at - context.clock.now().getTime());
  const answerMs = attempt.callback ? submitTimeoutMs : synchronousTimeoutMs;
  const timeoutMs = Math.min(answerMs + sendingMs(file?.bytes ?? 0), leftMs);
  const call = await callSpeechProvider(context, job, wire, timeoutMs, 'submit', file);
  if (call.kind === 'not_sent') return { ...call, kind: 'refused' };
  if (call.kind === 'unanswered') return { ...call, kind: 'unknown' };
  if (call.otherKey)
    return {
      kind: 'refused',
      reason: 'the credential was refused; the next attempt uses another one',
    };
  const task = readingTask(context, job, 'submit', call.reply);
  return withRaw(await context.reader.read(task), { texts: task.texts });
}

/** Nothing was sent, so a later attempt may succeed in reading the file. */
function asUnread(error: unknown): Error {
  if (error instanceof FilesUnavailable) return error;
  throw error;
}
