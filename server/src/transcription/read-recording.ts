// GET /admin/v1/jobs/{id}/recording: where a person's browser can play the recording of a job.
import { GatewayError, hideSignatures, type JobRecording } from '@trivium/contract';
import { hourMs } from '@trivium/contract/durations';
import { audioUrl, openUpload } from '../uploads/index.ts';
import type { JobContext } from './job-context.ts';
import { findJob } from './store/jobs.ts';

export async function readRecording(
  context: Pick<JobContext, 'database' | 'uploads'>,
  { id, account_id }: { id: string; account_id?: string | undefined },
  mayHaveSigned: boolean,
): Promise<JobRecording> {
  const job = await findJob(context.database.reader, id);
  if (!job || (account_id !== undefined && job.account_id !== account_id)) {
    throw new GatewayError('not_found', `There is no job ${id}.`);
  }
  const { upload, audio_url } = job.request;
  const found = upload ? await addressOf(context.uploads, upload.id) : audio_url;
  const withheld = found !== null && !mayHaveSigned && hideSignatures(found) !== found;
  return { audio_url: withheld ? null : found, withheld };
}

/** An upload that a job needs is kept even after its address has expired. */
async function addressOf(uploads: JobContext['uploads'], id: string): Promise<string | null> {
  const opened = await openUpload(uploads, id);
  if (!opened) return null;
  const soon = uploads.clock.now().getTime() + hourMs;
  return audioUrl(uploads, id, Math.max(opened.upload.expires_at, soon));
}
