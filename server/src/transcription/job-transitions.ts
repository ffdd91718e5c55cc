// Moves a job between states. The state machine decides under the job's lock, and money moves in
// the same transaction as the state.
import { highestCeiling, toAmount } from '../billing/core/index.ts';
import { machine } from '../platform/machine.ts';
import { newId } from '../platform/ids.ts';
import { groupCommit } from '../store/index.ts';
import { type JobEvent, type Moment, reduce } from './core/job.ts';
import { type TranscriptNotes, cutIntoParts } from './core/transcript.ts';
import {
  type JobChange,
  type StoredText,
  type TransitionItem,
  transitionTask,
} from './job-changes.ts';
import { type JobContext, callbackUrl, holdId, nextCredential, productOf } from './job-context.ts';
import { faultOfProvider } from './core/job-failures.ts';
import type { ProviderReport } from './read-transcript.ts';
import { insertParts } from './store/callbacks.ts';
import type { JobRow } from './store/jobs.ts';

/** Longer results are stored before the transaction, so that the transaction stays short. */
const partsInMove = 1;

export type JobTransitions = ReturnType<typeof createJobTransitions>;

export function createJobTransitions(context: JobContext) {
  const { database, clock, ledger } = context;
  const commits = groupCommit<TransitionItem, JobRow | null>({
    name: 'job_changes',
    clock,
    perform: (batch) => database.perform(transitionTask, batch, true),
  });
  const itemOf = (job: JobRow, event: JobEvent): TransitionItem => ({
    job_id: job.id,
    event,
    moment: momentOf(context, job),
    owner: context.owner,
  });
  return {
    /** Undefined if another worker has the job, or if the provider is at its limit. */
    take: async (job: JobRow) => {
      const taking = takingOf(context, job);
      return (await commits.add({ ...itemOf(job, { kind: 'taken' }), taking })) ?? undefined;
    },
    /** False if it was too late, or would fail a job that has another unread callback. */
    apply: async (job: JobRow, event: JobEvent, readCallbackIds: readonly string[] = []) => {
      const item = itemOf(job, event);
      const { effect, job: end } = reduce(job, event, item.moment) ?? {};
      if (effect !== 'release') return (await commits.add(item)) !== null;
      const linked: JobChange = { ...item, kind: 'ends', effect, readCallbackIds };
      const hold = { id: holdId(job.id), account_id: job.account_id };
      const outcome = await ledger.release(hold, { linked });
      if (outcome.kind !== 'released') return false;
      const reason = end?.failure && faultOfProvider(end.failure);
      if (reason) context.results?.job(job, reason);
      context.onEnd?.(job.id);
      return true;
    },
    complete: async (
      job: JobRow,
      report: Omit<Extract<ProviderReport, { kind: 'done' }>, 'kind'>,
    ) => {
      const { written, provider_job_id: providerJobId = null, raw } = report;
      const { id, attempt, request_id, account_id, key_id, provider, created_at } = job;
      const item = itemOf(job, { kind: 'done', attempt, provider_job_id: providerJobId });
      const result = await storeLong(context, job, written.parts);
      const document =
        raw && 'texts' in raw
          ? await storeLong(context, job, cutIntoParts(raw.texts))
          : raw && { ...raw, parts: [] };
      const { notes } = written;
      const linked: JobChange = {
        ...{ ...item, kind: 'ends', effect: 'settle', result, notes },
        ...(document ? { raw: document } : {}),
      };
      // A recording is charged for its full length, even above its hold and the ceiling of a
      // request.
      const cost = toAmount(written.cost) ?? highestCeiling;
      const tool = 'transcription';
      const outcome = await ledger.settle(
        { id: holdId(id), account_id, cost, may_exceed: true },
        {
          linked,
          costs_request: { id: request_id, account_id, key_id, tool, provider, created_at },
        },
      );
      if (outcome.kind !== 'settled' || outcome.again) return false;
      // From the receipt to the transcript, for `auto` where it chooses the fastest provider.
      context.latencies?.note(tool, provider, Math.max(0, clock.now().getTime() - created_at));
      reportNotes(context, job, notes);
      context.results?.job(job);
      context.onEnd?.(id);
      return true;
    },
    idle: commits.idle,
  };
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
  const warnings = [
    [charged_to && { charged_to }, 'the provider reported no usable duration of a recording'],
    [
      unread_words > 0 && { unread_words },
      'words of a transcript could not be read; they are left out',
    ],
    [ends_early, 'the last word of a transcript ends long before the recording'],
  ] as const;
  for (const [found, message] of warnings) if (found) log.warn({ ...facts, ...found }, message);
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

/** The returned `parts` are those that still have to be written. */
async function storeLong(
  { database, clock }: JobContext,
  job: JobRow,
  parts: readonly string[],
): Promise<StoredText> {
  const id = newId('text');
  const chars = parts.reduce((sum, part) => sum + part.length, 0);
  if (parts.length <= partsInMove) return { id, chars, parts };
  const madeAt = clock.now().getTime();
  for (const [part, content] of parts.entries()) {
    await insertParts(database, [{ id, part, job_id: job.id, made_at: madeAt, content }]);
    // The embedded store may answer in the same turn of the event loop.
    await machine.nextTurn();
  }
  return { id, chars, parts: [] };
}

function momentOf(
  context: JobContext,
  { provider, model, callback_url, provider_job_id }: JobRow,
): Moment {
  const product = productOf(context, provider);
  const { poll_after_s, lookup_after_s, callback_bound_s, processing_bound_s } = product;
  // A synchronous answer can be polled only if the provider stored it under a known id.
  const isPolled = product.toPoll !== undefined && provider_job_id !== null;
  const bound =
    callback_url === null
      ? processing_bound_s && !isPolled && { answer_bound_s: processing_bound_s(model) }
      : callback_bound_s && { callback_bound_s: callback_bound_s(model) };
  return {
    now: context.clock.now().getTime(),
    random: context.random(),
    schedule: { poll_after_s, lookup_after_s, ...bound },
    provider,
  };
}
