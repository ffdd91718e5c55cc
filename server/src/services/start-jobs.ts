// Puts the job desk together and sets the worker to it.
import { newId } from '../platform/ids.ts';
import { makeUnprovenRoom } from './delivery-body.ts';
import type { House } from './house.ts';
import type { JobDesk } from './job-desk.ts';
import { makeJobMoves } from './move-job.ts';
import { makeReader } from './read-transcript.ts';
import { startWorker } from './worker.ts';

export interface Jobs {
  desk: JobDesk;
  stop: () => Promise<void>;
}

export function startJobs(house: House, secret: string): Jobs {
  const desk: JobDesk = {
    house,
    secret,
    owner: newId('worker'),
    reader: makeReader(),
    chance: Math.random,
    nudge: () => worker.nudge(),
    unproven: makeUnprovenRoom(house.clock.ticks),
  };
  const worker = startWorker(desk, makeJobMoves(desk));
  return { desk, stop: worker.stop };
}
