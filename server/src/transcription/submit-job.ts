// Submits an attempt of a job to its provider, once. The provider gets an uploaded recording from the
// bucket by a signed address, from the gateway by its public address, or with the request (or before
// it, if it stores files) if it can reach neither. The caller records the outcome.
import { isPrivateHost } from '@trivium/contract';
import { minuteMs } from '@trivium/contract/durations';
import { type Attempt, submissionOf } from '../providers/index.ts';
import { FilesUnavailable, type StoredFile, audioUrl, openUpload } from '../uploads/index.ts';
import { parseJson } from '../upstream/core/index.ts';
import { callSpeechProvider, readAnswer, sendingMs } from './call-speech-provider.ts';
import { gatewayFailure } from './core/job-failures.ts';
import type { Failure } from './core/submission.ts';
import {
  type JobContext,
  attemptOf,
  callableProviderOf,
  keyOfJob,
  nextCredential,
  productOf,
} from './job-context.ts';
import type { ProviderReport } from './read-transcript.ts';
import { type JobRow, putVendorUpload } from './store/jobs.ts';

const submitTimeoutMs = 30_000;
/** Without a callback the vendor answers with the transcript itself. */
const synchronousTimeoutMs = 15 * minuteMs;

/** Sends the attempt that was just recorded as submitting. It is never sent twice. */
export async function submitJob(context: JobContext, job: JobRow): Promise<ProviderReport> {
  const product = productOf(context, job.provider);
  const recording = await recordingOf(context, job).catch((error: unknown) => {
    if (error instanceof FilesUnavailable) return error;
    throw error;
  });
  // Nothing was sent, so a later attempt may succeed in reading the file.
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
  return readAnswer(context, job, 'submit', call.reply);
}

const storeTimeoutMs = 60_000;

type Prepared = { kind: 'ready'; job: JobRow } | { kind: 'failed'; failure: Failure };

/** Throws if the provider cannot take it now. A later round tries again. */
export async function storeRecording(context: JobContext, given: JobRow): Promise<Prepared> {
  const job = withUsableStorage(context, given);
  const { upload } = job.request;
  const { storage } = productOf(context, job.provider);
  const isStored = !upload || !storage || job.vendor_upload;
  if (isStored || addressFor(context, job, upload) !== undefined) return { kind: 'ready', job };
  const opened = await openUpload(context.uploads, upload.id);
  if (!opened) return { kind: 'failed', failure: uploadGone };
  const credential = nextCredential(context, job.provider);
  const leftMs = Math.max(1, job.deadline_at - context.clock.now().getTime());
  const call = await callSpeechProvider(
    context,
    { ...job, credential },
    storage.toStore(announced(upload)),
    Math.min(storeTimeoutMs + sendingMs(opened.file.bytes), leftMs),
    'store',
    opened.file,
  );
  if (call.kind !== 'answered') throw notStored(job, call.reason);
  const stored = storage.fromStore({ ...call.reply, body: parseJson(call.reply.text) });
  if (stored.kind === 'failed' && !call.otherKey) return stored;
  if (stored.kind !== 'stored') {
    throw notStored(job, stored.kind === 'trouble' ? stored.reason : 'the credential was refused');
  }
  const vendorUpload = { audio_url: stored.audio_url, credential };
  await putVendorUpload(context.database, job.id, context.owner, vendorUpload);
  return { kind: 'ready', job: { ...job, vendor_upload: vendorUpload } };
}

/** A recording that was stored with a credential which the operator has removed is lost. */
function withUsableStorage(context: JobContext, job: JobRow): JobRow {
  if (job.vendor_upload === null) return job;
  const { credential } = job.vendor_upload;
  const provider = callableProviderOf(context, job.provider);
  const isUsable = provider && keyOfJob(context, provider, { ...job, credential }) !== undefined;
  return isUsable || credential === null ? job : { ...job, vendor_upload: null };
}

function notStored({ provider }: JobRow, reason: string): Error {
  return new Error(`${provider} did not take the recording: ${reason}`);
}

type JobUpload = NonNullable<JobRow['request']['upload']>;

/** What the submission contains, and the file if it must be sent. Undefined if it was deleted. */
async function recordingOf(
  context: JobContext,
  job: JobRow,
): Promise<{ given: Pick<Attempt, 'audio_url' | 'file'>; file?: StoredFile } | undefined> {
  const { upload, audio_url } = job.request;
  if (!upload) return { given: { audio_url } };
  if (job.vendor_upload) return { given: { audio_url: job.vendor_upload.audio_url } };
  const opened = await openUpload(context.uploads, upload.id);
  if (!opened) return undefined;
  const address = addressFor(context, job, upload);
  if (address !== undefined) return { given: { audio_url: address } };
  return { given: { audio_url, file: announced(upload) }, file: opened.file };
}

/** The name tells the provider the format. The caller's own file name is not passed on. */
function announced({ type }: JobUpload): NonNullable<Attempt['file']> {
  const [, format = 'bin'] = type.split('/');
  return { type, name: `recording.${format.replace(/^x-/, '')}` };
}

const uploadGone = gatewayFailure(
  'audio_unreachable',
  'The upload was deleted before the provider had read it. Upload the recording again.',
  false,
);

/** S3 signs addresses for at most a week. */
const maxSignedS = 7 * 24 * 60 * 60;

/** An address at which the provider can fetch the recording until the job's deadline. */
function addressFor(
  { uploads, providers, clock }: JobContext,
  job: JobRow,
  upload: JobUpload,
): string | undefined {
  const api = URL.parse(providers[job.provider].upstream?.hosts['api'] ?? '')?.hostname ?? '';
  const canReach = (host: string) => !isPrivateHost(host) || isPrivateHost(api);
  const { files, settings } = uploads;
  if (files.sign && files.host !== undefined && canReach(files.host)) {
    const leftS = Math.ceil((job.deadline_at - clock.now().getTime()) / 1000);
    return files.sign(upload.id, Math.min(Math.max(leftS, 1), maxSignedS));
  }
  const { public_url } = settings;
  if (public_url === undefined || !canReach(new URL(public_url).hostname)) return undefined;
  return audioUrl(uploads, upload.id, job.deadline_at);
}
