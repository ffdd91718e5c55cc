// How a provider gets a recording that was uploaded to this gateway: from the bucket by a signed
// address, from the gateway by its public address, or with the request if it can reach neither.
import { GatewayError, isPrivateHost } from '@trivium/contract';
import type { Caller } from '../requests/index.ts';
import {
  audioUrl,
  isFilesUrl,
  openUpload,
  readUpload,
  type StoredFile,
  uploadAt,
  type UploadContext,
} from '../uploads/index.ts';
import type { Attempt } from '../providers/index.ts';
import type { Failure } from './core/submission.ts';
import { productOf } from './job-context.ts';
import type { SpeechCallContext } from './job-context.ts';
import type { JobRow } from './store/jobs.ts';

type JobUpload = NonNullable<JobRow['request']['upload']>;

/**
 * The upload at the address that the caller gave. Undefined if it is not an address of this
 * gateway.
 */
export async function uploadOf(
  { uploads }: { uploads: UploadContext },
  caller: Caller,
  url: string,
): Promise<JobUpload | undefined> {
  const id = uploadAt(uploads.secret, url);
  if (id === undefined) {
    if (isFilesUrl(uploads, url)) throw unknownUpload();
    return undefined;
  }
  const upload = await readUpload(uploads, caller, id).catch((error: unknown) => {
    const isUnknown = error instanceof GatewayError && error.type === 'not_found';
    throw isUnknown ? unknownUpload() : error;
  });
  const { type, bytes, seconds } = upload;
  return { id, type, bytes, ...(seconds === null ? {} : { seconds }) };
}

/** What the submission contains, and the file itself if it must be sent. */
interface RecordingToSend {
  given: Pick<Attempt, 'audio_url' | 'file'>;
  file?: StoredFile;
}

/** Undefined if the upload was deleted. */
export async function recordingOf(
  context: SpeechCallContext,
  job: JobRow,
): Promise<RecordingToSend | undefined> {
  const { upload, audio_url } = job.request;
  if (!upload) return { given: { audio_url } };
  if (job.vendor_upload) return { given: { audio_url: job.vendor_upload.audio_url } };
  const opened = await openUpload(context.uploads, upload.id);
  if (!opened) return undefined;
  const address = addressFor(context, job, upload);
  if (address !== undefined) return { given: { audio_url: address } };
  return { given: { audio_url, file: announced(upload) }, file: opened.file };
}

/** True if the provider has to store the file before the job can be submitted. */
export function needsStoring(context: SpeechCallContext, job: JobRow): boolean {
  const { upload } = job.request;
  if (!upload || job.vendor_upload) return false;
  if (productOf(context, job.provider).storage === undefined) return false;
  return addressFor(context, job, upload) === undefined;
}

/** The name tells the provider the format. The caller's own file name is not passed on. */
export function announced({ type }: JobUpload): NonNullable<Attempt['file']> {
  const [, format = 'bin'] = type.split('/');
  return { type, name: `recording.${format.replace(/^x-/, '')}` };
}

export const uploadGone: Failure = {
  type: 'audio_unreachable',
  message: 'The upload was deleted before the provider had read it. Upload the recording again.',
  provider_status: null,
  provider_code: null,
  retryable: false,
};

/** S3 signs addresses for at most a week. */
const maxSignedS = 7 * 24 * 60 * 60;

/** An address at which the provider can fetch the recording until the job's deadline. */
function addressFor(
  { uploads, providers, clock }: SpeechCallContext,
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

function unknownUpload(): GatewayError {
  const message = 'There is no upload at this address on this account, or it has expired.';
  return new GatewayError('invalid_request', message, {
    issues: [{ path: 'audio_url', code: 'unknown_upload', message }],
  });
}
