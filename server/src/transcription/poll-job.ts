// Polls a provider for the state of a job that it accepted and gave an id.
import type { JobRow } from './store/jobs.ts';
import { callSpeechProvider, readingTask, questionTimeoutMs } from './call-speech-provider.ts';
import { productOf } from './job-context.ts';
import type { SpeechCallContext } from './job-context.ts';
import { withRaw } from './read-transcript.ts';
import type { ProviderReport } from './read-transcript.ts';

/** Asks the provider how the job it accepted is doing. */
export async function pollJob(context: SpeechCallContext, job: JobRow): Promise<ProviderReport> {
  const { toPoll } = productOf(context, job.provider);
  if (!toPoll || job.provider_job_id === null) return { kind: 'running' };
  const call = await callSpeechProvider(
    context,
    job,
    toPoll(job.provider_job_id),
    questionTimeoutMs,
    'poll',
  );
  if (call.kind === 'not_sent') return { ...call, kind: 'trouble' };
  if (!call.sent.ok) return { kind: 'trouble', reason: call.sent.message };
  const task = readingTask(context, job, 'poll', call.sent);
  return withRaw(await context.reader.read(task), { texts: task.texts });
}
