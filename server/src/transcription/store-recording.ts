// Sends an uploaded recording to a provider that stores it before the job is submitted. This costs
// nothing, so it is repeated after a crash.
import { parseJson } from '../upstream/core/index.ts';
import { openUpload } from '../uploads/index.ts';
import { callSpeechProvider, sendingMs } from './call-speech-provider.ts';
import type { Failure } from './core/submission.ts';
import { keyOfJob, nextCredential, productOf, callableProviderOf } from './job-context.ts';
import type { JobContext } from './job-context.ts';
import { putVendorUpload } from './store/jobs.ts';
import type { JobRow } from './store/jobs.ts';
import { announced, needsStoring, uploadGone } from './uploaded-recording.ts';

const storeTimeoutMs = 60_000;

type Prepared = { kind: 'ready'; job: JobRow } | { kind: 'failed'; failure: Failure };

/** Throws if the provider cannot take it now. A later round tries again. */
export async function storeRecording(context: JobContext, given: JobRow): Promise<Prepared> {
  const job = withUsableStorage(context, given);
  const { upload } = job.request;
  const { storage } = productOf(context, job.provider);
  if (!upload || !storage || !needsStoring(context, job)) return { kind: 'ready', job };
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
