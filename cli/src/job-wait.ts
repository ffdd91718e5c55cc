// Submits a transcription and waits until it ends. The id of the job is never lost.
import { providerLabel } from '@trivium/contract';
import type {
  ContentMode,
  Job,
  TranscriptionAccepted,
  TranscriptionRequestInput,
  Warning,
} from '@trivium/contract';
import { JobFailedError } from '@trivium/sdk';
import type { CompletedJob, TranscribeOptions } from '@trivium/sdk';
import { waitForJob, warningsOfJob } from '@trivium/sdk/jobs';
import type { Context } from './command.ts';
import { printWarnings } from './paid.ts';
import { jsonText } from './style.ts';

/**
 * A repeated call with the same idempotency key finds the job, so the key is printed on failure.
 */
export async function submit(
  context: Context,
  request: TranscriptionRequestInput,
  { idempotencyKey: idempotency_key = crypto.randomUUID(), ...call }: TranscribeOptions,
): Promise<TranscriptionAccepted> {
  const hint =
    'The job may have been accepted. Repeat the command with --idempotency-key ' +
    `${idempotency_key}: it is submitted and charged only once.`;
  context.onFailure(() => ({ hint, idempotency_key }));
  const client = context.client();
  const accepted = await client
    .transcribe(request, { ...call, idempotencyKey: idempotency_key })
    .catch((error: unknown) => {
      // A refusal is final: there is nothing to resume.
      if (isRefusal(error)) context.onFailure(undefined);
      throw error;
    });
  context.onFailure(undefined);
  return accepted;
}

/** Written to standard error before the wait, so that the id outlives the process. */
export function announce(context: Context, accepted: TranscriptionAccepted): void {
  if (context.jsonNotes) {
    context.note(`${jsonText({ accepted })}\n`);
    return;
  }
  printWarnings(context, accepted.warnings);
  context.note(`${context.style.dim(`${accepted.id} accepted`)}\n`);
}

/** Reads a job; the mode checks its transcript, and notes say what was found. */
export async function readJob(
  id: string,
  contentMode: ContentMode | undefined,
  context: Context,
): Promise<Job> {
  const { signal } = context;
  const { data, headers } = await context
    .client()
    .jobs.get(id, { signal, contentMode })
    .withResponse();
  noteFindings(context, warningsOfJob(headers));
  return data;
}

function noteFindings(context: Context, warnings: readonly Warning[]): void {
  if (!context.jsonNotes) printWarnings(context, warnings);
  else if (warnings.length > 0) context.note(`${jsonText({ warnings })}\n`);
}

/** Waits while the status line shows the state. `flags` are for the command that waits again. */
export async function waitForEnd(
  id: string,
  flags: readonly string[],
  contentMode: ContentMode | undefined,
  context: Context,
): Promise<CompletedJob> {
  const { signal } = context;
  const client = context.client();
  const command = ['trivium jobs wait', id, ...flags].join(' ');
  context.onFailure(() => ({
    hint: `The job continues. To wait for it again: ${command}`,
    job_id: id,
  }));
  const onProgress = (job: Job) => context.status(`${id}  ${standingOf(job)}`);
  try {
    let found: readonly Warning[] = [];
    const read = async (stop: AbortSignal) => {
      const job = client.jobs.get(id, { signal: stop, contentMode });
      const { data, headers } = await job.withResponse();
      found = warningsOfJob(headers);
      return data;
    };
    const job = await waitForJob(read, { signal, onProgress });
    context.onFailure(undefined);
    noteFindings(context, found);
    return job;
  } catch (error) {
    if (error instanceof JobFailedError || isRefusal(error)) context.onFailure(undefined);
    throw error;
  }
}

function standingOf({ status, attempt_status, provider }: Job): string {
  return status === 'running' ? `running, ${attempt_status} at ${providerLabel(provider)}` : status;
}

function isRefusal(error: unknown): boolean {
  const { status } = Object(error) as { status?: unknown };
  return typeof status === 'number' && status >= 400 && status < 500;
}
