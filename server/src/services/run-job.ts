// One round of work on a claimed job: look at what was delivered, else do the one step that is
// next.
import { nextStep } from '../domain/job.ts';
import type { JobEvent } from '../domain/job.ts';
import { deadlineFailure } from '../domain/job-failures.ts';
import type { Failure } from '../domain/submission.ts';
import { nextTurn } from '../platform/clock.ts';
import { deleteCallback, findFirstCallback } from '../store/callbacks.ts';
import { deleteJob } from '../store/jobs.ts';
import type { JobRow } from '../store/jobs.ts';
import { putOff } from '../store/leases.ts';
import { findPart } from '../store/texts.ts';
import { askProvider, lookUp, submit } from './ask-speech-provider.ts';
import { attemptOf, productOf } from './job-desk.ts';
import type { JobDesk } from './job-desk.ts';
import type { JobMoves } from './move-job.ts';
import type { ReadNews } from './read-transcript.ts';

/** A delivery of 64 MB in the parts it is stored in, with room to spare. */
const max_parts = 4096;

export async function runJob(desk: JobDesk, moves: JobMoves, job: JobRow): Promise<void> {
  const { house } = desk;
  // Of what was never sent nobody knows enough to call back.
  const never_sent = job.attempt_status === 'queued' && job.attempt === 1;
  if (!never_sent && (await readDelivery(desk, moves, job))) return;
  const now = house.clock.now().getTime();
  const can_poll = productOf(house, job.provider).toPoll !== undefined;
  switch (nextStep(job, can_poll, now)) {
    case 'delete':
      return house.database.transaction((tx) => deleteJob(tx, job.id));
    case 'expire':
      return settled(desk, moves, job, failedEvent(job, deadlineFailure(job, false)));
    case 'submit':
      return submitOnce(desk, moves, job);
    case 'poll':
      return hear(desk, moves, job, await askProvider(desk, job));
    case 'lookup':
      return settled(desk, moves, job, await lookUp(desk, job));
  }
}

/**
 * Only the winner of `take` sends, and sends once: what it learns is recorded under its attempt.
 */
async function submitOnce(desk: JobDesk, moves: JobMoves, job: JobRow): Promise<void> {
  const taken = await moves.take(job);
  if (!taken) return giveBack(desk, job);
  return hear(desk, moves, taken, await submit(desk, taken));
}

/** True when there was a delivery. It is kept until what it says has been recorded. */
async function readDelivery(desk: JobDesk, moves: JobMoves, job: JobRow): Promise<boolean> {
  const { database, prices } = desk.house;
  if (job.finished_at !== null) return false;
  const callback = await findFirstCallback(database, job.id);
  if (!callback) return false;
  const texts: string[] = [];
  for (let part = 0; part < max_parts; part += 1) {
    const text = await findPart(database, callback.body_id, part);
    if (text === undefined) break;
    texts.push(text);
    await nextTurn();
  }
  const delivered = { ...job, attempt: callback.attempt };
  const { language } = job.request;
  const news = await desk.reader.read({
    source: 'callback',
    provider: job.provider,
    status: 200,
    headers: [],
    texts,
    attempt: attemptOf(desk, delivered),
    ...(language === undefined ? {} : { language }),
    rates: prices[job.provider]?.transcribe ?? {},
  });
  await hear(desk, moves, delivered, news, 'delivery');
  await database.transaction((tx) => deleteCallback(tx, callback));
  desk.nudge();
  return true;
}

async function hear(
  desk: JobDesk,
  moves: JobMoves,
  job: JobRow,
  news: ReadNews,
  source?: 'delivery',
): Promise<void> {
  if (news.kind === 'done') {
    if (!(await moves.complete(job, news.written, news.provider_job_id))) await giveBack(desk, job);
    return;
  }
  await settled(desk, moves, job, eventOf(job, news), source);
}

function eventOf(job: JobRow, news: Exclude<ReadNews, { kind: 'done' }>): JobEvent {
  const { attempt } = job;
  switch (news.kind) {
    case 'accepted':
    case 'refused':
    case 'unknown':
      return { kind: 'submitted', attempt, outcome: news };
    case 'failed':
      return failedEvent(job, news.failure);
    case 'running':
      return { kind: 'still_running', attempt };
    case 'trouble': {
      const { retry_after_ms } = news;
      return {
        kind: 'still_running',
        attempt,
        ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
      };
    }
    case 'hint': {
      const { provider_job_id } = news;
      return {
        kind: 'hinted',
        attempt,
        ...(provider_job_id === undefined ? {} : { provider_job_id }),
      };
    }
    case 'nothing':
      return { kind: 'not_found', attempt };
  }
}

function failedEvent({ attempt }: JobRow, failure: Failure): JobEvent {
  return { kind: 'failed', attempt, failure };
}

async function settled(
  desk: JobDesk,
  moves: JobMoves,
  job: JobRow,
  event: JobEvent,
  source?: 'delivery',
): Promise<void> {
  if (!(await moves.apply(job, event, source))) await giveBack(desk, job);
}

/** Nothing came of this round: the next one need not wait for the lease to die. */
function giveBack({ house, owner }: JobDesk, job: JobRow): Promise<void> {
  const pause_ms = 1000;
  return putOff(house.database, job.id, owner, house.clock.now().getTime() + pause_ms);
}
