// The worker: claims what is due, works on it, keeps its leases alive, and hands them back when it
// is asked to stop.
import { countAtWork } from '../store/jobs.ts';
import type { JobRow } from '../store/jobs.ts';
import { claimJobs, dropLeases, renewLeases, returnLeases } from '../store/leases.ts';
import { deleteUnownedTexts } from '../store/texts.ts';
import { transcriber_ids } from '@trivium/contract';
import { productOf } from './job-desk.ts';
import type { JobDesk } from './job-desk.ts';
import type { JobMoves } from './move-job.ts';
import { runJob } from './run-job.ts';

export interface Worker {
  nudge: () => void;
  /** Claims nothing more, gives work under way a moment, and hands back what is left. */
  stop: () => Promise<void>;
}

export interface WorkerLimits {
  lease_ms: number;
  renew_every_ms: number;
  idle_ms: number;
  gather_ms: number;
  jobs_at_once: number;
  claim_at_once: number;
}

export const worker_limits: WorkerLimits = {
  lease_ms: 10_000,
  renew_every_ms: 2500,
  idle_ms: 200,
  gather_ms: 5,
  jobs_at_once: 256,
  claim_at_once: 64,
};

const trouble_pause_ms = 1000;
const stop_patience_ms = 2000;
const unowned_kept_ms = 60 * 60_000;
const tidy_every_ms = 10 * 60_000;

export function startWorker(
  desk: JobDesk,
  moves: JobMoves,
  limits: WorkerLimits = worker_limits,
): Worker {
  const held = new Map<string, Promise<void>>();
  const bell = makeBell();
  let running = true;
  const { clock, database, log } = desk.house;
  const begin = (job: JobRow) => {
    const work = runJob(desk, moves, job)
      .catch((error: unknown) => {
        log.warn({ err: error, job_id: job.id }, 'a round of work on a job failed');
      })
      .finally(() => {
        held.delete(job.id);
        if (held.size === limits.jobs_at_once - 1) bell.ring();
      });
    held.set(job.id, work);
  };
  const loop = async () => {
    if (database.engine === 'sqlite') await dropLeases(database, clock.now().getTime());
    while (running) {
      // What arrives within a moment is claimed together.
      await clock.sleep(limits.gather_ms);
      bell.hear();
      const limit = Math.min(limits.claim_at_once, limits.jobs_at_once - held.size);
      try {
        const claimed = limit > 0 ? await claim(desk, limits, limit) : [];
        for (const job of claimed) begin(job);
        if (running && (claimed.length < limit || limit === 0)) await bell.wait(limits.idle_ms);
      } catch (error) {
        log.warn({ err: error }, 'jobs could not be claimed');
        await clock.sleep(trouble_pause_ms);
      }
    }
  };
  const looping = loop();
  const stopUpkeep = startUpkeep(desk, limits, held);
  return {
    nudge: bell.ring,
    stop: async () => {
      running = false;
      bell.ring();
      await looping;
      await Promise.race([Promise.all(held.values()), clock.sleep(stop_patience_ms)]);
      stopUpkeep();
      const left = [...held.keys()];
      if (left.length > 0) {
        await returnLeases(database, desk.owner, left, clock.now().getTime());
      }
      await moves.idle();
      desk.reader.close();
    },
  };
}

/** Wakes the loop; a ring while nobody waits is heard before the next wait. */
function makeBell() {
  let rung = false;
  let wake: () => void = () => undefined;
  return {
    ring: () => {
      rung = true;
      wake();
    },
    hear: () => {
      rung = false;
    },
    wait: (ms: number) => {
      if (rung) return Promise.resolve();
      return new Promise<void>((done) => {
        const timer = setTimeout(done, ms);
        wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    },
  };
}

/** Keeps leases alive and clears away what nobody came back for. */
function startUpkeep(
  desk: JobDesk,
  limits: WorkerLimits,
  held: ReadonlyMap<string, unknown>,
): () => void {
  const { clock, database, log } = desk.house;
  const renewing = setInterval(() => {
    if (held.size === 0) return;
    const until = clock.now().getTime() + limits.lease_ms;
    renewLeases(database, desk.owner, [...held.keys()], until).catch((error: unknown) =>
      log.warn({ err: error }, 'leases could not be renewed'),
    );
  }, limits.renew_every_ms);
  const tidying = setInterval(() => {
    deleteUnownedTexts(database, clock.now().getTime() - unowned_kept_ms).catch((error: unknown) =>
      log.warn({ err: error }, 'old deliveries could not be deleted'),
    );
  }, tidy_every_ms);
  return () => {
    clearInterval(renewing);
    clearInterval(tidying);
  };
}

async function claim(desk: JobDesk, limits: WorkerLimits, limit: number) {
  const { database, clock } = desk.house;
  const at_work = await countAtWork(database);
  const full = transcriber_ids.filter(
    (id) => (at_work.get(id) ?? 0) >= productOf(desk.house, id).concurrency,
  );
  const now = clock.now().getTime();
  const claims = { owner: desk.owner, now, lease_until: now + limits.lease_ms, limit, full };
  return claimJobs(database, claims);
}
