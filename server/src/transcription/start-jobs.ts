// Builds the JobContext and starts the worker: which jobs it claims, and how it returns them.
import { transcriberIds } from '@trivium/contract';
import { hourMs, minuteMs } from '@trivium/contract/durations';
import type { BillingContext } from '../billing/index.ts';
import type { ContentContext } from '../content/index.ts';
import { every, poll } from '../platform/every.ts';
import { newId } from '../platform/ids.ts';
import { startLeaseWorker } from '../platform/lease-worker.ts';
import { machine } from '../platform/machine.ts';
import { jobLeaseMs, renewLeaseMs } from '../platform/time-limits.ts';
import type { Settings } from '../settings/index.ts';
import type { UploadContext } from '../uploads/index.ts';
import type { UpstreamContext } from '../upstream/index.ts';
import { checkLease, maxOfOneAccount } from './core/job.ts';
import { type JobContext, productOf } from './job-context.ts';
import { type JobTransitions, createJobTransitions } from './job-transitions.ts';
import { makeLookupAnswers } from './look-up-job.ts';
import { createTranscriptReader } from './read-transcript.ts';
import { makeUnprovenBodies } from './receive-callback.ts';
import { runJob } from './run-job.ts';
import { deleteUnownedTexts } from './store/callbacks.ts';
import type { JobRow } from './store/jobs.ts';
import {
  claimJobs,
  countAtWork,
  dropLeases,
  findNextDue,
  hasOneAccount,
  renewLeases,
  returnLeases,
} from './store/leases.ts';
import { makeJobEnds } from './wait-for-end.ts';

/** `onEnd` is called when a job has ended. */
export function startJobs(
  base: UpstreamContext &
    BillingContext &
    ContentContext & { settings: Settings; uploads: UploadContext },
  secret: string,
  onEnd: () => void,
) {
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
    unproven: makeUnprovenBodies(base.clock.ticks),
  };
  const worker = startWorker(context, createJobTransitions(context));
  return { context, drain: worker.drain, stop: worker.stop };
}

const jobsAtOnce = 256;
/** Polls and look-ups use half of it, so that a provider that hangs leaves room for new jobs. */
const submittedAtOnce = 128;
const claimAtOnce = 64;
const unownedKeptMs = hourMs;
const tidyEveryMs = 10 * minuteMs;

export function startWorker(context: JobContext, moves: JobTransitions) {
  const { clock, database, log, owner } = context;
  const now = () => clock.now().getTime();
  const worker = startLeaseWorker<JobRow>({
    name: 'jobs',
    clock,
    log,
    atOnce: jobsAtOnce,
    maxIdleMs: 2000,
    dropLeases: database.engine === 'sqlite' ? () => dropLeases(database, now()) : undefined,
    findNextDue: () => findNextDue(database),
    claim: async (free, held) => {
      const limit = Math.min(claimAtOnce, free);
      const submitted = held.filter(({ attempt_status }) => attempt_status !== 'queued').length;
      const rows = await claim(context, limit, submitted + limit > submittedAtOnce);
      return { rows, hasMore: rows.length === limit };
    },
    run: (job) =>
      runJob(context, moves, job).catch((error: unknown) => {
        context.stopped?.note(error);
        throw error;
      }),
    wakesAtEnd: false,
    renew: {
      everyMs: renewLeaseMs,
      leases: (ids) => renewLeases(database, ids, owner, now() + jobLeaseMs),
    },
    returnLeases: (ids) => returnLeases(database, ids, owner, now()),
  });
  const tidying = every(tidyEveryMs, {
    name: 'callback_bodies',
    work: () => deleteUnownedTexts(database, now() - unownedKeptMs),
    onError: (error) => log.warn({ err: error }, 'old callback bodies could not be deleted'),
  });
  return {
    nudge: worker.nudge,
    /** Takes no new work, and waits for synchronous transcriptions. */
    drain: async (giveUpAt: number, hurry?: AbortSignal) => {
      await worker.pause();
      await drainSynchronous(context, giveUpAt, hurry);
    },
    stop: async () => {
      tidying.stop();
      await Promise.all([worker.stop(), tidying.ended]);
      await moves.idle();
      context.reader.close();
    },
  };
}

/**
 * If the answer to a synchronous transcription is lost, its transcript is lost too, so this waits
 * for it, unless an operator asks to stop at once.
 */
async function drainSynchronous(
  { synchronous, clock, log }: JobContext,
  giveUpAt: number,
  hurry?: AbortSignal,
): Promise<void> {
  await poll(() => synchronous.size === 0 || hurry?.aborted === true, clock, giveUpAt);
  for (const { id, provider } of synchronous) {
    log.warn(
      { job_id: id, provider },
      'the gateway stops while a provider transcribes synchronously: its transcript is ' +
        'lost unless it arrives within two seconds',
    );
  }
}

async function claim(context: JobContext, limit: number, onlyNew: boolean) {
  const { database, clock } = context;
  const now = clock.now().getTime();
  const [atWork, isAlone] = await Promise.all([
    countAtWork(database, now),
    hasOneAccount(database),
  ]);
  const room = transcriberIds.map((provider) => {
    const { concurrency } = productOf(context, provider);
    const isFull = (atWork.get(provider) ?? 0) >= concurrency;
    return { provider, perAccount: isFull ? 0 : maxOfOneAccount(concurrency, isAlone) };
  });
  const lease = { owner: context.owner, now, lease_until: now + jobLeaseMs };
  const claims = { ...lease, limit, room, onlyNew };
  const claimed = await claimJobs(database, claims, (error) =>
    context.log.error({ err: error }, 'a job cannot be read, and no worker can end it'),
  );
  return claimed.filter((job) => {
    try {
      checkLease(job, context.owner);
      return true;
    } catch (error) {
      context.stopped?.note(error);
      return false;
    }
  });
}
