// Builds the JobContext and starts the worker.
import { newId } from '../platform/ids.ts';
import type { Database } from '../store/index.ts';
import type { UploadContext } from '../uploads/index.ts';
import type { ToolContext } from '../upstream/index.ts';
import { makeUnprovenBodies } from './callback-body.ts';
import type { JobContext } from './job-context.ts';
import { createJobTransitions } from './job-transitions.ts';
import { createTranscriptReader } from './read-transcript.ts';
import { startWorker } from './worker.ts';

interface Jobs {
  context: JobContext;
  stop: () => Promise<void>;
}

/** `onEnd` is called when a job has ended. */
export function startJobs(
  base: ToolContext & { database: Database; uploads: UploadContext },
  secret: string,
  onEnd: () => void,
): Jobs {
  const context: JobContext = {
    ...base,
    secret,
    owner: newId('worker'),
    reader: createTranscriptReader(base.metrics?.adapterFailed),
    random: Math.random,
    nudge: () => worker.nudge(),
    onEnd,
    unproven: makeUnprovenBodies(base.clock.ticks),
  };
  const worker = startWorker(context, createJobTransitions(context));
  return { context, stop: worker.stop };
}
