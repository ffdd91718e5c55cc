// Asks a provider about a job: polls a job that it accepted, and looks up a submission whose
// outcome is unknown in the provider's records, so that it need not be sent again.
import { parseJson } from '../upstream/core/index.ts';
import { advised } from './core/job-failures.ts';
import type { JobEvent } from './core/job.ts';
import type { JobRow } from './store/jobs.ts';
import { callSpeechProvider, questionTimeoutMs, readingTask } from './call-speech-provider.ts';
import { attemptOf, productOf } from './job-context.ts';
import type { SpeechCallContext } from './job-context.ts';
import type { LookupStep } from '../providers/index.ts';
import { withRaw } from './read-transcript.ts';
import type { ProviderReport } from './read-transcript.ts';

/**
 * The maximum number of pages and candidates in one look-up, and the time they may take together.
 */
const maxLookupSteps = 120;
const maxLookupMs = 120_000;

/** Searches the provider's records, request by request, until the outcome is known. */
export async function lookUpJob(context: SpeechCallContext, job: JobRow): Promise<JobEvent> {
  const { attempt: number } = job;
  const product = productOf(context, job.provider);
  const attempt = attemptOf(context, job);
  const missing = (unanswered?: string): JobEvent => ({
    kind: 'not_found',
    attempt: number,
    ...(unanswered === undefined ? {} : { unanswered }),
  });
  if (!product.toLookup) return missing('it has no list of accepted recordings');
  const { clock } = context;
  const until = clock.ticks() + maxLookupMs;
  let step: LookupStep | undefined = product.toLookup(attempt);
  for (let steps = 0; steps < maxLookupSteps && step?.kind === 'ask'; steps += 1) {
    if (clock.ticks() >= until) return missing('it answered too slowly');
    const call = await callSpeechProvider(context, job, step.wire, questionTimeoutMs, 'lookup');
    if (call.kind === 'not_sent') return missing(call.reason);
    if (!call.sent.ok) return missing(call.sent.message);
    if (call.sent.status >= 300) return missing(`it answered with status ${call.sent.status}`);
    step = product.fromLookup?.(
      { ...call.sent, body: parseJson(call.sent.text) },
      step.state,
      attempt,
      clock.now(),
    );
  }
  if (step?.kind === 'accepted') {
    const { provider_job_id, transcribed } = step;
    const more = transcribed ? { transcribed } : {};
    return { kind: 'found', attempt: number, provider_job_id, ...more };
  }
  if (step?.kind === 'failed') {
    return { kind: 'failed', attempt: number, failure: advised(step.failure) };
  }
  return missing();
}

/** Asks the provider for the state of an accepted job. */
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
