// The worker: claims the jobs that are due, runs them, renews their leases, and returns the leases
// when it stops.
import { mostOfOneAccount } from './core/job-schedule.ts';
import { countAtWork } from './store/jobs.ts';
import type { JobRow } from './store/jobs.ts';
import {
  claimJobs,
  dropLeases,
  findNextDue,
  hasOneAccount,
  renewLeases,
  returnLeases,
} from './store/leases.ts';
import { deleteUnownedTexts } from './store/texts.ts';
import { transcriberIds } from '@trivium/contract';
import { every } from '../platform/every.ts';
import { jobLeaseMs, renewLeaseMs } from '../platform/time-limits.ts';
import { makeWakeUp } from '../platform/wake-up.ts';
import { productOf } from './job-context.ts';
import type { JobContext } from './job-context.ts';
import type { JobTransitions } from './job-transitions.ts';
import { runJob } from './run-job.ts';

interface Worker {
  nudge: () => void;
  /** Stops claiming, waits briefly for running jobs, and returns the leases that are left. */
  stop: () => Promise<void>;
}

interface WorkerLimits {
  leaseMs: number;
  renewEveryMs: number;
  /** The pause after a claim while jobs are due. */
  idleMs: number;
  /** The longest pause while no job is due: another gateway may have made one and died. */
  maxIdleMs: number;
  gatherMs: number;
  jobsAtOnce: number;
  claimAtOnce: number;
}

const workerLimits: WorkerLimits = {
  leaseMs: jobLeaseMs,
  renewEveryMs: renewLeaseMs,
  idleMs: 200,
  maxIdleMs: 2000,
  gatherMs: 5,
  jobsAtOnce: 256,
  claimAtOnce: 64,
};

const pauseAfterErrorMs = 1000;
const stopTimeoutMs = 2000;
const unownedKeptMs = 60 * 60_000;
const tidyEveryMs = 10 * 60_000;

export function startWorker(
  context: JobContext,
  moves: JobTransitions,
  limits: WorkerLimits = workerLimits,
): Worker {
  const held = new Map<string, Promise<void>>();
  const wakeUp = makeWakeUp();
  let running = true;
  const { clock, database, log } = context;
  const begin = (job: JobRow) => {
    const work = runJob(context, moves, job)
      .catch((error: unknown) => {
        log.warn({ err: error, job_id: job.id }, 'a round of work on a job failed');
      })
      .finally(() => {
        held.delete(job.id);
        if (held.size === limits.jobsAtOnce - 1) wakeUp.notify();
      });
    held.set(job.id, work);
  };
  const loop = async () => {
    if (database.engine === 'sqlite') await dropLeases(database, clock.now().getTime());
    while (running) {
      // Jobs that arrive within this time are claimed together.
      await clock.sleep(limits.gatherMs);
      wakeUp.reset();
      const limit = Math.min(limits.claimAtOnce, limits.jobsAtOnce - held.size);
      try {
        const waitMs = limit > 0 ? await msUntilDue(context) : 0;
        const claimed = limit > 0 && waitMs <= 0 ? await claim(context, limits, limit) : [];
        for (const job of claimed) begin(job);
        if (running && (claimed.length < limit || limit === 0)) {
          await wakeUp.wait(Math.min(Math.max(limits.idleMs, waitMs), limits.maxIdleMs));
        }
      } catch (error) {
        log.warn({ err: error }, 'jobs could not be claimed');
        await clock.sleep(pauseAfterErrorMs);
      }
    }
  };
  const looping = loop();
  const stopUpkeep = startUpkeep(context, limits, held);
  return {
    nudge: wakeUp.notify,
    stop: async () => {
      running = false;
      wakeUp.notify();
      await looping;
      await Promise.race([Promise.all(held.values()), clock.sleep(stopTimeoutMs)]);
      stopUpkeep();
      const left = [...held.keys()];
      if (left.length > 0) {
        await returnLeases(database, context.owner, left, clock.now().getTime());
      }
      await moves.idle();
      context.reader.close();
    },
  };
}

/** Renews leases and deletes texts that belong to no job. */
function startUpkeep(
  context: JobContext,
  limits: WorkerLimits,
  held: ReadonlyMap<string, unknown>,
): () => void {
  const { clock, database, log } = context;
  const renew = async () => {
    if (held.size === 0) return;
    const until = clock.now().getTime() + limits.leaseMs;
    await renewLeases(database, context.owner, [...held.keys()], until);
  };
  const tidy = () => deleteUnownedTexts(database, clock.now().getTime() - unownedKeptMs);
  const warn = (message: string) => (error: unknown) => log.warn({ err: error }, message);
  const repeated = [
    every(limits.renewEveryMs, {
      name: 'job_leases',
      work: renew,
      onError: warn('leases could not be renewed'),
    }),
    every(tidyEveryMs, {
      name: 'callback_bodies',
      work: tidy,
      onError: warn('old callback bodies could not be deleted'),
    }),
  ];
  return () => repeated.forEach(({ stop }) => stop());
}

/** Infinity when there is no job; 0 or less when one is due. */
async function msUntilDue({ database, clock }: JobContext): Promise<number> {
  return ((await findNextDue(database)) ?? Infinity) - clock.now().getTime();
}

async function claim(context: JobContext, limits: WorkerLimits, limit: number) {
  const { database, clock } = context;
  const [atWork, isAlone] = await Promise.all([countAtWork(database), hasOneAccount(database)]);
  const room = transcriberIds.map((provider) => {
    const { concurrency } = productOf(context, provider);
    const isFull = (atWork.get(provider) ?? 0) >= concurrency;
    return { provider, perAccount: isFull ? 0 : mostOfOneAccount(concurrency, isAlone) };
  });
  const now = clock.now().getTime();
  const claims = { owner: context.owner, now, lease_until: now + limits.leaseMs, limit, room };
  return claimJobs(database, claims);
}
