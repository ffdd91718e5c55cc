// Reads the callbacks that were stored for a job, oldest first, and records what they say.
import { waitForRoom } from '../platform/byte-budget.ts';
import { nextTurn } from '../platform/clock.ts';
import { findUnread, markRead } from './store/callbacks.ts';
import type { Callback } from './store/callbacks.ts';
import type { JobRow } from './store/jobs.ts';
import { findPart } from './store/texts.ts';
import { jobFacts } from './call-speech-provider.ts';
import type { JobContext } from './job-context.ts';
import { withRaw } from './read-transcript.ts';
import type { ProviderReport } from './read-transcript.ts';
import { isStoreTrouble, recordReport } from './record-report.ts';
import type { Round } from './record-report.ts';

/** Enough for a callback of 64 MB in the parts it is stored in, with a margin. */
const maxParts = 4096;

/** True if one of them moved the job. A callback is kept until its job has ended. */
export async function readCallbacks(round: Round): Promise<boolean> {
  const { context, job, readCallbackIds, keptCallbackIds } = round;
  const { database, clock, log } = context;
  // There can be no callback for a job that was never sent.
  const neverSent = job.attempt_status === 'queued' && job.attempt === 1;
  if (neverSent || job.finished_at !== null) return false;
  for (const callback of await findUnread(database, job.id)) {
    const delivered = { ...job, attempt: callback.attempt };
    try {
      const report = await readCallback(context, delivered, callback);
      // A transcript counts as read only once it is recorded; any other report counts at once.
      if (report.kind !== 'done') readCallbackIds.push(callback.id);
      const moved = await recordReport(round, delivered, report);
      if (moved || report.kind !== 'done')
        await markRead(database, callback, clock.now().getTime());
      else keptCallbackIds.push(callback.id);
      if (moved) {
        context.nudge();
        return true;
      }
    } catch (error) {
      if (isStoreTrouble(error)) throw error;
      // The next round, or a later version, may be able to read it.
      keptCallbackIds.push(callback.id);
      log.warn({ err: error, job_id: job.id }, 'a callback could not be read; it is kept');
    }
  }
  return false;
}

async function readCallback(
  context: JobContext,
  job: JobRow,
  { body_id }: Callback,
): Promise<ProviderReport> {
  const { database } = context;
  const texts: string[] = [];
  for (let part = 0; part < maxParts; part += 1) {
    const text = await findPart(database, body_id, part);
    if (text === undefined) break;
    await waitForRoom(context.room, text.length);
    texts.push(text);
    await nextTurn();
  }
  if (texts.length === 0) throw new Error(`the body ${body_id} is not there`);
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  const report = await context.reader.read({
    source: 'callback',
    status: 200,
    headers: [],
    texts,
    ...jobFacts(context, job),
  });
  return withRaw(report, { id: body_id, chars });
}
