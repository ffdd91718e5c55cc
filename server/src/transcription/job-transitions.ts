// Moves a job between states. The state machine decides under the job's lock, and money moves in
// the same transaction as the state.
import { highestCeiling, toAmount } from '../billing/core/index.ts';
import { reduce } from './core/job.ts';
import type { JobEvent, Moment } from './core/job.ts';
import type { PollSchedule } from './core/job.ts';
import { nextTurn } from '../platform/clock.ts';
import { storeTrouble } from '../platform/store-trouble.ts';
import { partsOf, type TranscriptNotes } from './core/transcript.ts';
import type { JobRow } from './store/jobs.ts';
import { insertPart } from './store/callbacks.ts';
import { newId } from '../platform/ids.ts';
import { groupCommit } from '../store/index.ts';
import { callbackUrl, nextCredential, productOf } from './job-context.ts';
import type { JobContext } from './job-context.ts';
import { transitionTask } from './job-changes.ts';
import type { JobChange, StoredText } from './job-changes.ts';
import type { ProviderReport, RawDocument } from './read-transcript.ts';
import type { TransitionItem } from './job-changes.ts';
import type { LoggedCost } from '../requests/index.ts';

export interface JobTransitions {
  /**
   * Records the attempt as submitting. Undefined if another worker has it, or if the provider is at
   * its concurrency limit.
   */
  take: (job: JobRow) => Promise<JobRow | undefined>;
  /**
   * False if the event came too late to change anything, or would fail a job that has an unread
   * callback which is not among `readCallbackIds`.
   */
  apply: (job: JobRow, event: JobEvent, readCallbackIds?: readonly string[]) => Promise<boolean>;
  complete: (job: JobRow, report: Omit<FinishedReport, 'kind'>) => Promise<boolean>;
  idle: () => Promise<void>;
}

type FinishedReport = Extract<ProviderReport, { kind: 'done' }>;

/** Longer results are stored before the transaction, so that the transaction stays short. */
const partsInMove = 1;

export function createJobTransitions(context: JobContext): JobTransitions {
  const { database, clock, ledger } = context;
  const commits = groupCommit<TransitionItem, JobRow | null>({
    clock,
    troubleOf: storeTrouble,
    perform: (batch) => database.perform(transitionTask, batch, true),
  });
  const itemOf = (job: JobRow, event: JobEvent): TransitionItem => ({
    job_id: job.id,
    event,
    moment: momentOf(context, job),
    owner: context.owner,
  });
  return {
    take: async (job) => {
      const taking = takingOf(context, job);
      return (await commits.add({ ...itemOf(job, { kind: 'taken' }), taking })) ?? undefined;
    },
    apply: async (job, event, readCallbackIds = []) => {
      const item = itemOf(job, event);
      const { effect } = reduce(job, event, item.moment) ?? {};
      if (effect !== 'release') return (await commits.add(item)) !== null;
      const outcome = await ledger.release(
        { id: holdId(job.id), account_id: job.account_id },
        { linked: jobEnds({ ...item, effect, readCallbackIds }) },
      );
      if (outcome.kind !== 'released') return false;
      context.onEnd?.(job.id);
      return true;
    },
    complete: async (job, { written, provider_job_id: providerJobId = null, raw }) => {
      const item = itemOf(job, {
        kind: 'done',
        attempt: job.attempt,
        provider_job_id: providerJobId,
      });
      const result = await storeLong(context, job, written.parts);
      const document = raw && (await rawText(context, job, raw));
      const { notes } = written;
      // A recording is charged for its full length, even above its hold and the ceiling of a
      // request.
      const cost = toAmount(written.cost) ?? highestCeiling;
      const outcome = await ledger.settle(
        { id: holdId(job.id), account_id: job.account_id, cost, may_exceed: true },
        {
          linked: jobEnds({
            ...item,
            effect: 'settle',
            result,
            notes,
            ...(document ? { raw: document } : {}),
          }),
          costs_request: loggedCostOf(job),
        },
      );
      const isDone = outcome.kind === 'settled' && !outcome.again;
      if (isDone) noteDuration(context, job);
      if (isDone) reportNotes(context, job, notes);
      if (isDone) context.onEnd?.(job.id);
      return isDone;
    },
    idle: commits.idle,
  };
}

/**
 * Measures the time from the receipt to the transcript, for `auto` where it chooses the fastest
 * provider.
 */
function noteDuration({ latencies, clock }: JobContext, job: JobRow): void {
  const now = clock.now().getTime();
  latencies?.note('transcription', job.provider, Math.max(0, now - job.created_at));
}

/** An incomplete transcript is also charged for, so the operator should know about it. */
function reportNotes(
  { log, metrics }: JobContext,
  { id, provider }: JobRow,
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

function jobEnds(end: Omit<Extract<JobChange, { kind: 'ends' }>, 'kind'>): JobChange {
  return { ...end, kind: 'ends' };
}

export function holdId(jobId: string): `job:${string}` {
  return `job:${jobId}`;
}

function loggedCostOf({
  request_id,
  account_id,
  key_id,
  provider,
  created_at,
}: JobRow): LoggedCost {
  return { id: request_id, account_id, key_id, tool: 'transcription', provider, created_at };
}

/** How this attempt will be sent. This is stored, because a later poll or look-up needs it. */
function takingOf(context: JobContext, job: JobRow): NonNullable<TransitionItem['taking']> {
  const callbackAddress = callbackUrl(context, job);
  const { vendor_upload: stored } = job;
  // A provider can find a stored file only with the credential that the file was sent with.
  const credential = stored ? stored.credential : nextCredential(context, job.provider);
  return {
    concurrency: productOf(context, job.provider).concurrency,
    attempt: job.attempt,
    sender: { callback_url: callbackAddress, credential },
  };
}

async function rawText(context: JobContext, job: JobRow, raw: RawDocument): Promise<StoredText> {
  if ('texts' in raw) return storeLong(context, job, partsOf(raw.texts));
  return { ...raw, parts: [] };
}

/** The returned `parts` are those that still have to be written. */
async function storeLong(
  context: JobContext,
  job: JobRow,
  parts: readonly string[],
): Promise<StoredText> {
  const id = newId('text');
  const chars = parts.reduce((sum, part) => sum + part.length, 0);
  if (parts.length <= partsInMove) return { id, chars, parts };
  await writeParts(context, job, { id, parts });
  return { id, chars, parts: [] };
}

async function writeParts(
  context: JobContext,
  job: JobRow,
  { id, parts }: { id: string; parts: readonly string[] },
): Promise<void> {
  const madeAt = context.clock.now().getTime();
  for (const [part, content] of parts.entries()) {
    await insertPart(context.database, { id, part, job_id: job.id, made_at: madeAt, content });
    // The embedded store may answer in the same turn of the event loop, so this lets other work
    // run.
    await nextTurn();
  }
}

function momentOf(context: JobContext, job: JobRow): Moment {
  const { provider } = job;
  const { poll_after_s, lookup_after_s } = productOf(context, provider);
  return {
    now: context.clock.now().getTime(),
    random: context.random(),
    schedule: { poll_after_s, lookup_after_s, ...boundOf(context, job) },
    provider,
  };
}

/** A synchronous answer can be polled only if the provider stored it under a known id. */
function boundOf(
  context: JobContext,
  { provider, model, callback_url, provider_job_id }: JobRow,
): Pick<PollSchedule, 'answer_bound_s' | 'callback_bound_s'> {
  const { callback_bound_s, processing_bound_s, toPoll } = productOf(context, provider);
  if (callback_url !== null) {
    return callback_bound_s ? { callback_bound_s: callback_bound_s(model) } : {};
  }
  const isPolled = toPoll !== undefined && provider_job_id !== null;
  return processing_bound_s && !isPolled ? { answer_bound_s: processing_bound_s(model) } : {};
}
