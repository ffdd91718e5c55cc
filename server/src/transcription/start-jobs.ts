// Builds the JobContext and starts the worker.
import type { ContentContext } from '../content/index.ts';
import { newId } from '../platform/ids.ts';
import { machine } from '../platform/machine.ts';
import type { Settings } from '../settings/index.ts';
import type { UploadContext } from '../uploads/index.ts';
import type { UpstreamContext } from '../upstream/index.ts';
import type { BillingContext } from '../billing/index.ts';
import { makeUnprovenBodies } from './callback-body.ts';
import type { JobContext } from './job-context.ts';
import { createJobTransitions } from './job-transitions.ts';
import { makeLookupAnswers } from './lookup-answers.ts';
import { createTranscriptReader } from './read-transcript.ts';
import type { TranscriptNotes } from './core/transcript.ts';
import type { JobRow } from './store/jobs.ts';
import { makeJobEnds } from './wait-for-end.ts';
import { startWorker } from './worker.ts';

interface Jobs {
  context: JobContext;
  drain: ReturnType<typeof startWorker>['drain'];
  stop: () => Promise<void>;
}

/** `onEnd` is called when a job has ended. */
export function startJobs(
  base: UpstreamContext &
    BillingContext &
    ContentContext & { settings: Settings; uploads: UploadContext },
  secret: string,
  onEnd: () => void,
): Jobs {
  const ends = makeJobEnds(base);
  const context: JobContext = {
    ...base,
    secret,
    owner: newId('worker'),
    reader: createTranscriptReader(base.metrics?.adapterFailed),
    lookupAnswers: makeLookupAnswers(base.clock),
    synchronous: new Set(),
    random: machine.random,
    nudge: () => worker.nudge(),
    ends,
    onEnd: (id) => {
      ends.note(id);
      onEnd();
    },
    onTranscript: ({ id, provider }, notes) => reportNotes(base, { id, provider }, notes),
    unproven: makeUnprovenBodies(base.clock.ticks),
  };
  const worker = startWorker(context, createJobTransitions(context));
  return { context, drain: worker.drain, stop: worker.stop };
}

/** An incomplete transcript is also charged for, so the operator should know about it. */
function reportNotes(
  { log, metrics }: Pick<JobContext, 'log' | 'metrics'>,
  { id, provider }: Pick<JobRow, 'id' | 'provider'>,
  { unread_words = 0, ends_early, charged_to }: TranscriptNotes,
): void {
  const facts = { job_id: id, provider };
  metrics?.transcribed(provider, {
    unread_words,
    ends_early: ends_early !== undefined,
    no_duration: charged_to !== undefined,
  });
  if (charged_to) {
    log.warn({ ...facts, charged_to }, 'the provider reported no usable duration of a recording');
  }
  if (unread_words > 0) {
    log.warn(
      { ...facts, unread_words },
      'words of a transcript could not be read; they are left out',
    );
  }
  if (ends_early) {
    log.warn(
      { ...facts, ...ends_early },
      'the last word of a transcript ends long before the recording',
    );
  }
}
